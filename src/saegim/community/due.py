"""When a notice is to be told: once a day, at its time, and not long after it."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from saegim.community.types import Notice

# A notice that was missed for longer is left for tomorrow: nobody wants the morning's at night.
LATEST = timedelta(hours=1)


def due_on(notice: Notice, now: datetime) -> date | None:
    """The day whose notice is due now; None where none is."""
    here = now.astimezone(ZoneInfo(notice.time_zone))
    at = datetime.combine(here.date(), time.fromisoformat(notice.at), here.tzinfo)
    if not at <= here < at + LATEST:
        return None
    told = notice.told_on is not None and notice.told_on >= here.date()
    return None if told else here.date()

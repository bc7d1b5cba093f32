"""When a notice is to be told: once a day, at its time, and not long after it."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from saegim.community.types import Notice

# A notice that was missed for longer is left for tomorrow: nobody wants the morning's at night.
LATEST = timedelta(hours=1)


def due_on(notice: Notice, now: datetime) -> date | None:
    """The day whose notice is due now; None where none is. A late one may be yesterday's."""
    last = last_day(notice.at, notice.time_zone, now)
    zone = ZoneInfo(notice.time_zone)
    at = datetime.combine(last, time.fromisoformat(notice.at), zone)
    if now.astimezone(zone) >= at + LATEST:
        return None
    already_sent = notice.last_sent_on is not None and notice.last_sent_on >= last
    return None if already_sent else last


def last_day(at: str, time_zone: str, now: datetime) -> date:
    """The last day on which this time of day came, there. Raises ZoneInfoNotFoundError."""
    here = now.astimezone(ZoneInfo(time_zone))
    came = time.fromisoformat(at) <= here.time()
    return here.date() if came else here.date() - timedelta(days=1)

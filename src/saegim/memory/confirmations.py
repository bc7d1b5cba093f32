"""Ask whether unsure records still hold, and take the user's answer."""

import re
from dataclasses import dataclass
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.db.cells import Cells
from saegim.domain.scope import Scope
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Actor, ChangeReason, Record

_YES = re.compile(
    r"^\W*(?:응+|어+|네+|넵|예|맞아\S*|맞습니다|맞음|그대로\S*|여전(?:히|해\S*)|아직도?|변함\s?없\S*|똑같\S*|그래|ㅇㅇ|ㅇ"
    r"|yes|yep|yeah|yup|still|correct|right|that'?s right|it does|it is|unchanged|same)(?=\W|$)",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"아니|바뀌|바뀐|바꿨|달라|이제는|지금은|말고|근데|그런데|하지만|모르|이사|옮|그만|[?？]"
    r"|\b(?:but|no|not|now|changed|except|actually|moved|left|quit)\b",
    re.IGNORECASE,
)


def says_yes(message: str) -> bool:
    """Return whether a message answers yes, and nothing against it: "응, 그대로야"."""
    return _YES.search(message) is not None and _BUT.search(message) is None


@dataclass(frozen=True, eq=False)
class Confirmations:
    cells: Cells
    records: PostgresRecords

    async def confirm(self, scope: Scope, record: UUID, because: ChangeReason) -> Record:
        """Make an unsure record sure again. Raises NotFound."""
        async with self.records.writing(scope, because) as writer:
            return await writer.trust(record)

    async def note_asked(self, scope: Scope, record: UUID, turn: UUID) -> None:
        """Save the turn that asks about a record, so that no other one does."""
        values = turn_rows.owner(scope) | {"memory": record, "turn": turn}
        await self.cells.run_query(scope.tenant, "note_asked", **values)

    async def take_answer(self, scope: Scope, asked_in: UUID, message: str) -> int:
        """Confirm the records that a turn asked about if the next message says yes."""
        if not says_yes(message):
            return 0
        values = turn_rows.owner(scope) | {"turn": asked_in}
        rows = await self.cells.fetch_all(scope.tenant, "memories_asked_in", **values)
        for row in rows:
            await self.confirm(scope, row["memory_id"], ChangeReason(Actor.PERSON, "confirmed"))
        return len(rows)

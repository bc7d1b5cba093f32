"""Import the large files, and open their pages, rows and slides from citations."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.idle import until_idle
from benchmarks.parsing import large
from benchmarks.parsing.questions import served
from saegim.app.container import Services
from saegim.auth.types import ActAs
from saegim.chat.types import ChatRequest
from saegim.db.cells import HOME_CELL
from saegim.domain.scope import Caller
from saegim.library.types import Locator

NAMES = {"pdf": "pdf_500", "xlsx": "sheet_100k", "pptx": "deck_300"}
QUESTIONS = {
    "pdf": "설비 {n}호의 담당자는 누구인가요?",
    "xlsx": "품목 {row}번의 단가는 얼마인가요?",
    "pptx": "지표 {n}번의 값은 얼마인가요?",
}
PART_BYTES = 1 << 20
_CLEAR_PEAK = "5"


async def measure(folder: Path) -> dict[str, float]:
    """Returns seconds, peak memory and index size of each import, and the share of citations that
    open the page, the row or the slide."""
    figures: dict[str, float] = {}
    for suffix, path in large.write(folder).items():
        # New servers for each file: its index and memory are its own.
        async with served() as services:
            figures |= {
                f"large.{NAMES[suffix]}.{name}": value
                for name, value in (await _import(services, path)).items()
            }
    return figures


async def _import(services: Services, path: Path) -> dict[str, float]:
    tenant = await services.auth.tenants.create("큰 파일", "ko", HOME_CELL)
    caller = await services.auth.authentication.authenticate(tenant.key, ActAs("큰 파일", None))
    empty, _ = _bytes_of(services), _forget_peak()
    ingests, data = services.library.ingests, await asyncio.to_thread(path.read_bytes)
    began = time.monotonic()
    ingest = await ingests.open(caller, "default", "guide")
    file = await ingests.add_file(caller, ingest.id, path.name)
    for part, start in enumerate(range(0, len(data), PART_BYTES)):
        await ingests.add_part(caller, file, part, data[start : start + PART_BYTES])
    await ingests.enqueue(caller, file)
    await until_idle(services, seconds=1_800)
    seconds = time.monotonic() - began
    [done] = (await ingests.find(caller, ingest.id)).files
    suffix = path.suffix[1:]
    opened = [await _opens(services, caller, suffix, number) for number in large.PROBED]
    return {
        "seconds": round(seconds, 1),
        "peak_mb": round(_peak_mb()),
        "index_mb": round((_bytes_of(services) - empty) / 1e6, 1),
        "file_mb": round(len(data) / 1e6, 1),
        "passages": float(done.stored),
        "opens_share": sum(opened) / len(opened),
    }


async def _opens(services: Services, caller: Caller, suffix: str, number: int) -> bool:
    """Whether an answer without a model cites the place, and the file is there to open."""
    wanted: Locator = large.EXPECTED[suffix][1](number)
    turns = services.chat.turns
    question = QUESTIONS[suffix].format(n=number, row=wanted.row)
    opened = await turns.receive(caller, ChatRequest(question, None))
    reply = await turns.reply(caller.scope, opened.turn.id)
    cited = _places(reply.citations)
    if wanted.parts() not in cited:
        print(question, "|", reply.answer[:200].replace("\n", " / "), cited)
        return False
    document, _ = await services.library.search.lookup(caller, f"large.{suffix}", 0)
    return (await services.library.originals.find(caller, document.id)).size > 0


def _places(citations: Sequence[Any]) -> list[dict[str, Any] | None]:
    return [each["locator"] for each in citations if each["kind"] == "passage"]


def _bytes_of(services: Services) -> int:
    folder = Path(services.settings.index_url or services.settings.data / "index")
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text(_CLEAR_PEAK)


def _peak_mb() -> float:
    """Returns the most memory of this process, which serves and works, since the last reset."""
    lines = Path("/proc/self/status").read_text().splitlines()
    [peak] = [line for line in lines if line.startswith("VmHWM:")]
    return int(peak.split()[1]) * 1024 / 1e6

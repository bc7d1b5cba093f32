"""The parent's side of the sandbox: limits of the child, and how its end is reported."""

import asyncio
import json
import logging
import os
import signal
import sys
import time
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import MEGABYTE, ParseLimits
from saegim.library.parsing.sandbox import probe, results, wire
from saegim.library.parsing.sandbox.children import fork_server
from saegim.library.parsing.sandbox.confinement import Fence
from saegim.library.parsing.sandbox.parser import SandboxedParser
from saegim.library.ports import Parser
from tests.integration.library.parsing.office_files import guide_docx, guide_hwpx
from tests.integration.library.parsing.pdf_files import Line, pdf
from tests.integration.library.parsing.reading import read_all
from tests.integration.library.parsing.test_markup import GUIDE, PAGE


async def _reason(parser: SandboxedParser, file: Path) -> str:
    with pytest.raises(Unreadable) as refusal:
        await parser.parse(file, file.name)
    return refusal.value.detail


def _below(parent: int | str) -> set[int]:
    found: set[int] = set()
    for task in Path(f"/proc/{parent}/task").iterdir():
        with suppress(OSError):
            found |= {int(pid) for pid in (task / "children").read_text().split()}
    return found


def _children() -> set[int]:
    """Our parsing children: each is the child of a keeper of the fork server."""
    found: set[int] = set()
    for server in _below("self"):
        with suppress(OSError):
            if b"sandbox.fork_server" in Path(f"/proc/{server}/cmdline").read_bytes():
                found |= {child for keeper in _below(server) for child in _below(keeper)}
    return found


@pytest.mark.requirement("LB1")
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("안내.md", GUIDE.encode()),
        ("안내.html", PAGE.encode("cp949")),
        ("점검.docx", guide_docx()),
        ("점검.hwpx", guide_hwpx()),
        ("점검.pdf", pdf([[Line("제목", 20), Line("본문입니다.")]])),
        ("faq.json", b'[{"q": "why", "a": "because"}, {"q": "how", "a": "so"}]'),
    ],
)
async def test_a_child_tells_what_it_would_find_itself(
    tmp_path: Path, name: str, data: bytes
) -> None:
    file = tmp_path / "stored"
    file.write_bytes(data)
    decomposed = unicodedata.normalize("NFD", name)
    parser: Parser = SandboxedParser()
    assert await parser.parse(file, decomposed) == read_all(data, name)


async def test_the_fork_server_is_used_again(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("짧은 글", "utf-8")
    parser = SandboxedParser()
    server, used = fork_server(tuple(sorted(parser.environment.items()))), set[int | None]()
    for _ in range(3):
        await parser.parse(tmp_path / "a.txt", "a.txt")
        used.add(server.process_id)
    assert len(used) == 1
    assert None not in used


@pytest.mark.alone
async def test_a_second_text_is_read_at_once(tmp_path: Path) -> None:
    """The process that forks is there already, so that a child takes milliseconds."""
    (tmp_path / "a.txt").write_text("짧은 글", "utf-8")
    parser = SandboxedParser()
    took = list[float]()
    for _ in range(6):
        began = time.monotonic()
        await parser.parse(tmp_path / "a.txt", "a.txt")
        took.append(time.monotonic() - began)
    assert min(took[1:]) < 0.15


async def test_the_fork_server_is_started_again_when_it_is_gone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("짧은 글", "utf-8")
    parser = SandboxedParser()
    await parser.parse(tmp_path / "a.txt", "a.txt")
    server = fork_server(tuple(sorted(parser.environment.items())))
    first = server.process_id
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert await parser.parse(tmp_path / "a.txt", "a.txt")
    assert server.process_id != first


async def test_the_child_of_a_text_imports_no_parser_library_nor_the_product() -> None:
    script = (
        "import sys, io\n"
        "from saegim.library.parsing.sandbox.child import parse\n"
        "from saegim.library.parsing.limits import ParseLimits\n"
        "parse(io.BytesIO(b'words'), 'a.txt', ParseLimits(), lambda: None)\n"
        "print(' '.join(sys.modules))"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", script), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    loaded = set(output.decode().split())
    assert "saegim.library.parsing.formats.text" in loaded
    assert not loaded & {"pypdf", "docx", "lxml", "markdown_it", "selectolax", "pydantic", "numpy"}
    assert not loaded & {"saegim.app", "saegim.app.settings", "asyncio", "psycopg", "lancedb"}


@pytest.mark.parametrize("fence", ["kernel", "watcher"])
async def test_a_child_that_takes_too_much_memory_is_stopped(tmp_path: Path, fence: Fence) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(b"|a|b|\n|-|-|\n" + b"|1|2|\n" * 100_000)
    parser = SandboxedParser(ParseLimits(memory_bytes=120 * MEGABYTE), fence=fence)
    assert await _reason(parser, file) == "memory"


async def test_a_child_that_computes_too_long_is_stopped(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b"<div>" * 100_000)
    assert await _reason(SandboxedParser(ParseLimits(cpu_seconds=1)), file) == "timeout"
    assert await _reason(SandboxedParser(ParseLimits(wall_seconds=0.5)), file) == "timeout"
    assert _children() == set()


async def test_a_child_that_tells_too_much_is_stopped(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"many words\n\n" * 50_000)
    assert (
        await _reason(SandboxedParser(ParseLimits(output_bytes=MEGABYTE // 2)), file) == "too_large"
    )
    assert _children() == set()


async def test_files_that_are_none_or_too_large_start_no_child(tmp_path: Path) -> None:
    parser = SandboxedParser(ParseLimits(file_bytes=100))
    large, pipe, empty = tmp_path / "large.txt", tmp_path / "pipe.txt", tmp_path / "empty.txt"
    large.write_bytes(b"a" * 101)
    os.mkfifo(pipe)
    empty.touch()
    reasons = [await _reason(parser, file) for file in (large, pipe, empty, tmp_path / "none")]
    assert reasons == ["too_large", "unsupported", "empty", "missing"]
    assert await _reason(parser, tmp_path) == "unsupported"


async def test_a_child_killed_from_outside_is_an_unreadable_file(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b"<div>" * 400_000)
    parsing = asyncio.create_task(_reason(SandboxedParser(), file))
    while not (children := _children()):
        assert not parsing.done()
        await asyncio.sleep(0.01)
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    assert await parsing == "memory"


async def test_cancelling_ends_the_child(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b"<div>" * 400_000)
    parsing = asyncio.create_task(SandboxedParser().parse(file, file.name))
    while not _children():
        assert not parsing.done()
        await asyncio.sleep(0.01)
    parsing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await parsing
    assert _children() == set()


async def test_no_more_children_run_than_there_are_places(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("글", "utf-8")
    parser = SandboxedParser(children=2)
    most = 0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, len(_children()))
            await asyncio.sleep(0.005)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(parser.parse(file, "a.txt") for _ in range(8)))
    watching.cancel()
    assert 1 <= most <= 2


async def test_the_child_sees_no_secret_of_ours(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": "x", "SAEGIM_MASTER_KEY": "secret", "OPENAI_API_KEY": "secret"}
    passed = SandboxedParser(environment=environment).environment
    assert passed == {"PYTHONPATH": "x"}


async def test_a_parser_reaches_no_network_files_or_other_processes() -> None:
    assert (await probe.look()).missing == ()


NOBODY = 65534


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp and Landlock are Linux's")
@pytest.mark.parametrize("user", [os.getuid(), NOBODY] if os.getuid() == 0 else [os.getuid()])
@pytest.mark.parametrize("landlock", ["landlock", "none"])
async def test_parser_fences_hold_under_dockers_seccomp_filter(
    tmp_path: Path, user: int, landlock: str
) -> None:
    sample = tmp_path / "점검.docx"
    sample.write_bytes(guide_docx())
    command = ("tests.integration.library.parsing.in_container", str(sample), str(user), landlock)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *command),
        stdout=asyncio.subprocess.PIPE,
        env={"SAEGIM_MASTER_KEY": "secret", "PYTHONPATH": str(Path(__file__).parents[4])},
    )
    output, _ = await process.communicate()
    found = json.loads(output)
    assert found["reached"] == []
    # A kernel without Landlock leaves the files that the worker's own user may read.
    assert set(found["missing"]) <= (set[str]() if landlock == "landlock" else {"files"})
    # Not every user may start the Python of the one who runs the tests.
    assert found["parsed"] == 1 or user != os.getuid()


# --- what the child says is not trusted ---


def _lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


DOCUMENT = {"line": "document", "title": None, "outside_id": None, "type": None, "metadata": {}}
SECTION = {"line": "section", "path": []}
BLOCK = {"line": "block", "kind": "paragraph", "text": "글"}
END = {"line": "end"}


@pytest.mark.parametrize(
    "output",
    [
        b"",
        b"nonsense",
        b"\xff\xfe",
        _lines(DOCUMENT, SECTION, BLOCK),
        _lines(END),
        _lines(SECTION, BLOCK, END),
        _lines(DOCUMENT, BLOCK, END),
        _lines(DOCUMENT, SECTION, BLOCK | {"kind": "poem"}, END),
        _lines(DOCUMENT, SECTION, BLOCK | {"text": "a\0b"}, END),
        _lines(DOCUMENT, SECTION, BLOCK | {"text": unicodedata.normalize("NFD", "글")}, END),
        _lines(DOCUMENT | {"metadata": {"a": 1}}, SECTION, BLOCK, END),
        _lines(DOCUMENT | {"more": 1}, SECTION, BLOCK, END),
        _lines({"line": "refusal", "reason": "because"}),
        _lines([1, 2], END),
    ],
)
def test_nonsense_from_the_child_is_a_corrupt_file(output: bytes) -> None:
    with pytest.raises(Unreadable) as refusal:
        results.documents_of(output)
    assert refusal.value.detail == "corrupt"


def test_what_the_child_tells_comes_back_whole() -> None:
    documents = read_all(GUIDE, "a.md") + read_all(PAGE, "b.html")
    assert results.documents_of(b"".join(wire.encode(documents))) == documents
    with pytest.raises(Unreadable, match="encrypted"):
        results.documents_of(wire.refused("encrypted"))


async def test_a_crash_is_told_by_its_place_and_not_by_its_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A child without its order crashes like any other."""
    file = tmp_path / "a.txt"
    file.write_text("비밀", "utf-8")
    broken = SandboxedParser(ParseLimits(text_bytes=None))  # type: ignore[arg-type]  on purpose
    with caplog.at_level(logging.WARNING):
        assert await _reason(broken, file) == "corrupt"
    (record,) = caplog.records
    assert "TypeError at sandbox/child.py" in record.getMessage()
    assert "비밀" not in record.getMessage()

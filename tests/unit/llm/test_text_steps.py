import asyncio
from collections.abc import AsyncIterator

import pytest
from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError, ModelServerError
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, FunctionModel

from benchmarks.doubles.models import Pieces, RecordedRequest, Reply, ScriptedModels
from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import CallSource, ModelFault
from saegim.llm.ports import ModelRole, RoleModel
from saegim.llm.steps import FALLBACK_MARGIN_SECONDS, Steps
from saegim.llm.types import Message, StepEnd, StepPath, StepPrompt, TextDelta, TextStep

STEP = TextStep("answer", ModelRole.STRONG, StepPath.REPLY)
PROMPT = StepPrompt("Be kind.", (Message("user", "안녕?"),), "answer/1")
BROKEN = ModelHTTPError.for_category(ModelServerError, status_code=500, model_name="m")
DROPPED = ModelConnectionError("m", "dropped", phase="read")


def fallback() -> str:
    return "검색 모드입니다."


def strong(*replies: Reply, retries: int = 0) -> ScriptedModels:
    return ScriptedModels({ModelRole.STRONG: replies}, retries=retries)


async def run(
    models: ScriptedModels, step: TextStep = STEP, deadline: float | None = None
) -> tuple[list[str], StepEnd]:
    clock = asyncio.get_running_loop().time
    *deltas, end = [
        event async for event in Steps(models, clock).stream(step, PROMPT, fallback, deadline)
    ]
    assert isinstance(end, StepEnd)
    return [delta.text for delta in deltas if isinstance(delta, TextDelta)], end


async def test_the_models_text_comes_piece_by_piece():
    models = strong(Pieces(("반갑", "습니다", ".")))

    texts, end = await run(models)

    assert texts == ["반갑", "습니다", "."]
    assert end.complete
    assert (end.call.model, end.call.source, end.call.fault) == (
        "scripted-strong",
        CallSource.MODEL,
        None,
    )
    assert end.call.first_token_seconds is not None
    assert end.call.first_token_seconds <= end.call.seconds
    assert models.requests == [RecordedRequest(ModelRole.STRONG, "Be kind.", PROMPT.messages)]


async def test_a_model_that_fails_before_its_first_word_gives_way_to_the_twin():
    texts, end = await run(strong(BROKEN))

    assert texts == [fallback()]
    assert end.complete
    assert (end.call.source, end.call.fault) == (CallSource.FALLBACK, ModelFault.HTTP_ERROR)
    assert (end.call.model, end.call.cost_usd) == ("fallback", 0)


async def test_what_was_shown_stays_when_the_model_dies_and_the_end_says_so():
    texts, end = await run(strong(Pieces(("반갑", "습"), death=DROPPED), retries=3))

    assert texts == ["반갑", "습"]
    assert not end.complete
    assert (end.call.source, end.call.fault) == (CallSource.MODEL, ModelFault.BROKEN_OUTPUT)


async def test_a_passing_fault_is_tried_again_while_nothing_was_shown():
    texts, end = await run(strong(BROKEN, "반갑습니다", retries=1))

    assert "".join(texts) == "반갑습니다"
    assert (end.call.source, end.call.fault) == (CallSource.MODEL, None)


@pytest.mark.parametrize("nothing", ["", " \n ", Pieces((" ", "\n"))])
async def test_an_empty_answer_is_a_fault(nothing: Reply):
    texts, end = await run(strong(nothing))

    assert texts == [fallback()]
    assert (end.call.source, end.call.fault) == (CallSource.FALLBACK, ModelFault.EMPTY_OUTPUT)


async def test_white_space_before_the_first_word_is_not_shown():
    texts, _ = await run(strong(Pieces(("\n", "  반갑", " 습"))))

    assert texts == ["반갑", " 습"]


async def test_a_slow_first_word_gives_way_to_the_twin():
    step = TextStep("answer", ModelRole.STRONG, StepPath.REPLY, first_token_seconds=0.1)

    texts, end = await run(strong(Pieces(("반갑",), pause_seconds=3600)), step)

    assert texts == [fallback()]
    assert end.call.fault is ModelFault.TIMEOUT
    assert end.call.seconds < 600


class SteppedClock:
    """A clock that moves when a test says so."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


async def run_until_first_word(
    models: ScriptedModels, later: float, step: TextStep = STEP, deadline: float | None = None
) -> tuple[list[str], StepEnd]:
    """Runs a step; the clock moves to `later` when the first word is there."""
    clock, texts = SteppedClock(), list[str]()
    async for event in Steps(models, clock).stream(step, PROMPT, fallback, deadline):
        if isinstance(event, StepEnd):
            return texts, event
        texts.append(event.text)
        clock.at = later
    raise AssertionError("a step ends")


async def test_the_limit_of_the_first_word_does_not_cut_the_rest():
    step = TextStep("answer", ModelRole.STRONG, StepPath.REPLY, first_token_seconds=30)

    texts, end = await run_until_first_word(strong(Pieces(("a", "b", "c", "d"))), 140.0, step)

    assert texts == ["a", "b", "c", "d"]
    assert end.complete


async def test_the_deadline_cuts_a_text_that_takes_too_long():
    words = Pieces(("a",), then=Pieces(("b",), pause_seconds=3600))
    almost = 130.0 - FALLBACK_MARGIN_SECONDS - 0.05

    texts, end = await run_until_first_word(strong(words), almost, deadline=130.0)

    assert texts == ["a"]
    assert not end.complete
    assert end.call.fault is ModelFault.TIMEOUT


async def test_the_twin_answers_within_the_deadline():
    clock = SteppedClock()
    deadline = clock.at + FALLBACK_MARGIN_SECONDS + 0.1
    models = strong(Pieces(("a",), pause_seconds=3600))

    events = [
        event async for event in Steps(models, clock).stream(STEP, PROMPT, fallback, deadline)
    ]

    *texts, end = events
    assert texts == [TextDelta(fallback())]
    assert isinstance(end, StepEnd)
    assert end.call.fault is ModelFault.TIMEOUT


async def test_the_time_a_reader_takes_between_pieces_breaks_nothing():
    models = strong(Pieces(("a", "b")))
    texts: list[str] = []

    async for event in Steps(models).stream(STEP, PROMPT, fallback, None):
        if isinstance(event, TextDelta):
            texts.append(event.text)
            await asyncio.sleep(0.05)

    assert texts == ["a", "b"]


async def test_closing_early_ends_the_models_work():
    ended = asyncio.Event()

    async def endless(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[str]:
        try:
            while True:
                yield "말 "
                await asyncio.sleep(0.01)
        finally:
            ended.set()

    class Talkative:
        def for_role(self, role: ModelRole) -> RoleModel | None:
            return RoleModel(FunctionModel(stream_function=endless), 60.0, 0)

    stream = Steps(Talkative()).stream(STEP, PROMPT, fallback, None)
    assert await anext(stream) == TextDelta("말 ")

    await stream.aclose()

    assert ended.is_set()


async def test_thinking_is_not_shown():
    async def thoughtful(
        _: list[ModelMessage], __: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaThinkingPart]]:
        yield {0: DeltaThinkingPart(content="음…")}
        yield "반갑습니다"

    class Thinker:
        def for_role(self, role: ModelRole) -> RoleModel | None:
            return RoleModel(FunctionModel(stream_function=thoughtful), 60.0, 0)

    events = [event async for event in Steps(Thinker()).stream(STEP, PROMPT, fallback, None)]

    assert events[:-1] == [TextDelta("반갑습니다")]


async def test_without_a_model_the_twin_speaks():
    texts, end = await run(ScriptedModels({}))

    assert texts == [fallback()]
    assert (end.call.source, end.call.fault) == (CallSource.FALLBACK, ModelFault.NOT_CONFIGURED)


@pytest.mark.parametrize("reply", [BROKEN, Pieces(("반갑",), death=DROPPED)])
async def test_in_the_background_a_failing_model_fails_the_step(reply: Reply):
    step = TextStep("fold", ModelRole.STRONG, StepPath.BACKGROUND)

    with pytest.raises(ModelUnavailable, match="fold"):
        await run(strong(reply), step)


async def test_after_three_failures_the_twin_speaks_at_once():
    models = strong(BROKEN, Pieces(("a",), death=DROPPED), "", "나중")
    steps = Steps(models, SteppedClock())

    faults: list[ModelFault | None] = []
    for _ in range(4):
        events = [event async for event in steps.stream(STEP, PROMPT, fallback, None)]
        assert isinstance(events[-1], StepEnd)
        faults.append(events[-1].call.fault)

    assert faults == [
        ModelFault.HTTP_ERROR,
        ModelFault.BROKEN_OUTPUT,
        ModelFault.EMPTY_OUTPUT,
        ModelFault.CIRCUIT_OPEN,
    ]
    assert len(models.requests) == 3


async def test_a_reader_that_is_cancelled_sees_its_cancellation():
    models = strong(Pieces(("a", "b"), pause_seconds=30.0))
    task = asyncio.create_task(run(models))
    await asyncio.sleep(0.05)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_script_that_runs_out_is_a_bug_of_the_test_and_surfaces():
    with pytest.raises(AssertionError, match="only 0 replies"):
        await run(strong())

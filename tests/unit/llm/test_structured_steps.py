import asyncio
from dataclasses import replace

import pytest
from pydantic import BaseModel, Field, field_validator
from pydantic_ai.exceptions import ModelHTTPError, ModelRequestRejectedError, ModelServerError
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.profiles import ModelProfile

from benchmarks.doubles.models import Pieces, RecordedRequest, ScriptedModels
from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import CallSource, ModelFault
from saegim.llm.ports import EgressPolicy, ModelRole, RoleModel
from saegim.llm.steps import FALLBACK_MARGIN_SECONDS, Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep


class Weather(BaseModel):
    city: str
    degrees: int


def http(status: int) -> ModelHTTPError:
    return ModelHTTPError.for_category(ModelServerError, status_code=status, model_name="m")


REFUSED = ModelHTTPError.for_category(ModelRequestRejectedError, status_code=400, model_name="m")
STEP = StructuredStep("weather", ModelRole.LITE, StepPath.REPLY, Weather)
LATER = StructuredStep("weather", ModelRole.LITE, StepPath.BACKGROUND, Weather)
PROMPT = StepPrompt(
    "Tell the weather.",
    (Message("user", "서울은?"), Message("assistant", "맑음"), Message("user", "부산은?")),
    "weather/1",
)
BUSAN = Weather(city="부산", degrees=21)


def fallback() -> Weather:
    return Weather(city="fallback", degrees=0)


async def test_the_model_fills_in_the_form():
    models = ScriptedModels({ModelRole.LITE: [BUSAN]})

    result = await Steps(models).structured(STEP, PROMPT, fallback, None)

    assert result.value == BUSAN
    call = result.call
    assert (call.step, call.prompt_version, call.role) == ("weather", "weather/1", "lite")
    assert (call.model, call.source, call.fault) == ("scripted-lite", CallSource.MODEL, None)
    assert call.input_tokens > 0
    assert call.output_tokens > 0
    assert call.cost_usd is None


async def test_the_model_is_shown_the_conversation_as_chat_messages():
    models = ScriptedModels({ModelRole.LITE: [BUSAN]})

    await Steps(models).structured(STEP, PROMPT, fallback, None)

    assert models.requests == [RecordedRequest(ModelRole.LITE, PROMPT.system, PROMPT.messages)]


async def test_two_messages_of_one_side_become_one():
    models = ScriptedModels({ModelRole.LITE: [BUSAN]})
    unanswered = StepPrompt("s", (Message("user", "서울?"), Message("user", "부산?")), "v")

    await Steps(models).structured(STEP, unanswered, fallback, None)

    assert models.requests[0].messages == (Message("user", "서울?\n\n부산?"),)


def test_a_prompt_ends_with_the_user():
    with pytest.raises(ValueError, match="user"):
        StepPrompt("s", (Message("assistant", "안녕하세요"),), "v")


async def test_a_wrong_form_is_sent_back_with_what_is_wrong():
    models = ScriptedModels({ModelRole.LITE: ['{"city": "부산"}', BUSAN]}, retries=1)

    result = await Steps(models).structured(STEP, PROMPT, fallback, None)

    assert result.value == BUSAN
    assert len(models.requests) == 2
    assert "degrees" in models.requests[1].messages[-1].text


async def test_the_twin_steps_in_for_a_form_that_stays_wrong_and_the_spent_tokens_are_kept():
    models = ScriptedModels({ModelRole.LITE: ["no", "no"]}, retries=1)

    result = await Steps(models).structured(STEP, PROMPT, fallback, None)

    assert result.value == fallback()
    assert (result.call.model, result.call.source) == ("fallback", CallSource.FALLBACK)
    assert result.call.fault is ModelFault.BROKEN_OUTPUT
    assert result.call.input_tokens > 0


async def test_a_passing_fault_is_tried_again():
    models = ScriptedModels({ModelRole.LITE: [http(503), BUSAN]}, retries=1)

    result = await Steps(models).structured(STEP, PROMPT, fallback, None)

    assert (result.value, result.call.source) == (BUSAN, CallSource.MODEL)


@pytest.mark.parametrize("path", list(StepPath))
async def test_without_a_model_the_twin_works_on_either_path(path: StepPath):
    step = StructuredStep("weather", ModelRole.LITE, path, Weather)

    result = await Steps(ScriptedModels({})).structured(step, PROMPT, fallback, None)

    assert result.value == fallback()
    assert (result.call.fault, result.call.cost_usd) == (ModelFault.NOT_CONFIGURED, 0)
    assert (result.call.input_tokens, result.call.output_tokens) == (0, 0)


async def test_in_the_background_a_failing_model_fails_the_step_and_the_cause_is_kept():
    error = http(500)
    models = ScriptedModels({ModelRole.LITE: [error]})

    with pytest.raises(ModelUnavailable, match="weather: http_error") as failure:
        await Steps(models).structured(LATER, PROMPT, fallback, None)

    assert failure.value.__cause__ is error


async def test_a_model_that_takes_too_long_gives_way_within_the_deadline():
    models = ScriptedModels({ModelRole.LITE: [Pieces(("x",), pause_seconds=3600)]})
    deadline = 100.0 + FALLBACK_MARGIN_SECONDS + 0.2

    result = await Steps(models, lambda: 100.0).structured(STEP, PROMPT, fallback, deadline)

    assert (result.call.source, result.call.fault) == (CallSource.FALLBACK, ModelFault.TIMEOUT)


async def test_the_roles_own_timeout_holds_without_a_deadline():
    slow = Pieces(("x",), pause_seconds=3600)
    models = ScriptedModels({ModelRole.LITE: [slow]}, timeout_seconds=0.1)

    result = await Steps(models).structured(STEP, PROMPT, fallback, None)

    assert result.call.fault is ModelFault.TIMEOUT
    assert 0.1 <= result.call.seconds < 600


async def test_with_no_time_left_the_model_is_not_asked():
    models = ScriptedModels({ModelRole.LITE: [BUSAN]})
    steps = Steps(models, lambda: 100.0)

    for _ in range(4):
        late = await steps.structured(STEP, PROMPT, fallback, 100.0)
        assert late.call.fault is ModelFault.TIMEOUT

    assert models.requests == []
    in_time = await steps.structured(STEP, PROMPT, fallback, 110.0)
    assert in_time.call.source is CallSource.MODEL


async def test_after_three_failures_the_twin_answers_at_once_until_the_model_recovers():
    time = [0.0]
    replies = [http(500), http(500), http(500), BUSAN, BUSAN]
    models = ScriptedModels({ModelRole.LITE: replies, ModelRole.STRONG: [BUSAN]})
    steps = Steps(models, lambda: time[0])

    async def fault(step: StructuredStep[Weather] = STEP) -> ModelFault | None:
        return (await steps.structured(step, PROMPT, fallback, None)).call.fault

    assert [await fault() for _ in range(4)] == [ModelFault.HTTP_ERROR] * 3 + [
        ModelFault.CIRCUIT_OPEN
    ]
    assert len(models.requests) == 3
    with pytest.raises(ModelUnavailable, match="circuit_open"):
        await fault(LATER)
    strong = StructuredStep("weather", ModelRole.STRONG, StepPath.REPLY, Weather)
    assert await fault(strong) is None
    time[0] += 10.0
    assert [await fault(), await fault()] == [None, None]


async def test_messages_that_a_provider_refuses_do_not_take_the_model_from_others():
    models = ScriptedModels({ModelRole.LITE: [REFUSED] * 5 + [BUSAN]})
    steps = Steps(models, lambda: 100.0)

    for _ in range(5):
        await steps.structured(STEP, PROMPT, fallback, None)

    assert (await steps.structured(STEP, PROMPT, fallback, None)).call.source is CallSource.MODEL


async def test_a_provider_that_refuses_the_message_after_a_failure_is_there_again():
    time = [100.0]
    models = ScriptedModels({ModelRole.LITE: [http(500)] * 3 + [REFUSED, BUSAN]})
    steps = Steps(models, lambda: time[0])
    for _ in range(3):
        await steps.structured(STEP, PROMPT, fallback, None)
    time[0] += 10.0

    results = [await steps.structured(STEP, PROMPT, fallback, None) for _ in range(2)]

    assert [each.call.fault for each in results] == [ModelFault.HTTP_ERROR, None]


async def test_a_cancelled_step_is_cancelled_and_no_twin_works():
    models = ScriptedModels({ModelRole.LITE: [Pieces(("x",), pause_seconds=30.0)]})
    task = asyncio.create_task(Steps(models).structured(STEP, PROMPT, fallback, None))
    await asyncio.sleep(0.05)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_bug_of_our_own_surfaces():
    class Buggy(BaseModel):
        city: str

        @field_validator("city")
        @classmethod
        def check(cls, value: str) -> str:
            return value.no_such_method()  # type: ignore[attr-defined]  # the bug

    step = StructuredStep("buggy", ModelRole.LITE, StepPath.REPLY, Buggy)
    models = ScriptedModels({ModelRole.LITE: ['{"city": "부산"}']})

    with pytest.raises(AttributeError, match="no_such_method"):
        await Steps(models).structured(step, PROMPT, lambda: Buggy.model_construct(city=""), None)


async def test_a_form_for_a_model_without_json_schemas_is_asked_for_in_another_way():
    async def call_tool(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        (tool,) = info.output_tools
        return ModelResponse(parts=[ToolCallPart(tool.name, BUSAN.model_dump())])

    class Old:
        def for_role(self, role: ModelRole) -> RoleModel | None:
            profile = ModelProfile(supports_json_schema_output=False)
            return RoleModel(FunctionModel(call_tool, profile=profile), 5.0, 0)

    result = await Steps(Old()).structured(STEP, PROMPT, fallback, None)

    assert (result.value, result.call.source) == (BUSAN, CallSource.MODEL)


class Title(BaseModel):
    title: str = Field(max_length=20)


async def test_an_output_too_long_with_the_names_is_replaced_by_the_fallback():
    scripted = ScriptedModels({ModelRole.LITE: [Title(title="Person1, Person1")]})

    class Hiding:
        def for_role(self, role: ModelRole) -> RoleModel | None:
            model = scripted.for_role(role)
            return model and replace(model, egress=EgressPolicy(uses_pseudonyms=True))

    step = StructuredStep("title", ModelRole.LITE, StepPath.REPLY, Title)
    prompt = StepPrompt("Title?", (Message("user", "Wolfeschlegelsteinhausen asks"),), "title/1")
    steps = Steps(Hiding()).naming(["Wolfeschlegelsteinhausen"])
    result = await steps.structured(step, prompt, lambda: Title(title="by rule"), None)

    assert (result.value.title, result.call.source) == ("by rule", CallSource.FALLBACK)
    assert result.call.fault is ModelFault.BROKEN_OUTPUT

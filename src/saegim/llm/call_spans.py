"""Spans of model calls, by OpenTelemetry's conventions for generative AI."""

from saegim.llm.model_call import ModelCall
from saegim.telemetry.spans import note_finished_call


def note_call(call: ModelCall, provider: str, model: str) -> None:
    """Records a model call that ended just now."""
    note_finished_call(
        f"chat {model}",
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider,
            "gen_ai.request.model": model,
            "gen_ai.usage.input_tokens": call.input_tokens,
            "gen_ai.usage.output_tokens": call.output_tokens,
            "saegim.step": call.step,
            "saegim.role": call.role,
            "saegim.source": call.source.value,
        },
        call.seconds,
        None if call.fault is None else call.fault.value,
    )

"""`make bench-turn-model`: replay the hand-played script through the product; write the figures.

`by_hand.*` are shares and counts of verdicts (judge.py) on the recordings. A message counts as
right if its judge says so and the machine finds nothing in the replay that it had not found in the
recording. The other figures are of the replay:

- `requests_per_message`: requests that the person waited for, by answered message;
  `background_per_message`: all others.
- `tokens_per_turn`, `background_tokens_per_turn`: their input tokens, by answered message;
  `fresh_tokens_per_turn`: those that repeat no beginning (below), at the full price of providers.
- `prefix_share`: of the input tokens of the requests that the person waited for, those that repeat
  the beginning of an earlier request of the same session: tools, form and messages as one text,
  compared letter by letter. A repeated beginning of less than 1,024 tokens counts as none.
- `roomy.*`: the same for an assistant whose `context` is `roomy`, with the answers that were given
  to the compact prompts; `roomy.failing` counts the messages that the machine finds worse.
- `before.*`: the same of the recording of 0.15.4, which has only some of the messages;
  `compared.*`: of the replay on those.

`injection.*` are of attacks on a model that obeys (injection.py).
"""

import argparse
import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from benchmarks import results
from benchmarks.page import everything, publish
from benchmarks.turn_model.injection import attack
from benchmarks.turn_model.judge import SYSTEMS, VERDICTS, loaded
from benchmarks.turn_model.model_server import AnswerSource
from benchmarks.turn_model.recorded import Recorded, is_answering
from benchmarks.turn_model.replay import Packing, QuietBackground, Replay
from benchmarks.turn_model.run import CONFIG, play
from benchmarks.turn_model.script import RECORDINGS, SCRIPT, ScriptMessage, failures, load
from saegim.app.settings import Settings

OURS = SYSTEMS[0]
SHARES = {
    OURS: "by_hand.right_judged",
    "before": "by_hand.right_before",
    "alone": "by_hand.model_alone",
    "loop": "by_hand.plain_loop",
}


class Verdict(BaseModel):
    """What a judge said of an answer."""

    digest: str
    right: bool
    harmful: bool
    altered_wrongly: bool
    reason: str
    score: int | None = None
    memory_ok: bool | None = None
    sources_ok: bool | None = None


Verdicts = Mapping[str, Mapping[str, Verdict]]
"""By system and message."""


def verdicts_of(path: Path, recordings: Mapping[str, Recorded]) -> Verdicts:
    """Return the verdicts. Raises ValueError if a recording is another than the judged one."""
    found = TypeAdapter(dict[str, dict[str, Verdict]]).validate_json(path.read_bytes())
    for system, verdicts in found.items():
        changed = [m for m, v in verdicts.items() if recordings[system].digest(m) != v.digest]
        if changed:
            raise ValueError(f"{system}: not the judged recording: {', '.join(changed)}")
    return found


async def replayed(
    script: Sequence[ScriptMessage],
    answers: AnswerSource,
    base: Settings | None = None,
    context: str = "compact",
) -> Recorded:
    """Return what the present code shows and asks with recorded answers of the model."""
    recording, server = await play(script, answers, base=base, config=CONFIG | {"context": context})
    packing = Packing()
    return Recorded(
        {message.id: shown for message, shown in recording.messages},
        {message.id: failures(message, shown) for message, shown in recording.messages},
        [packing.pack(each) for each in server.exchanges],
    )


def usage(recorded: Recorded, messages: Sequence[str] = ()) -> dict[str, float]:
    """Return requests and tokens by answered message, of all or of some."""
    of = set(messages or recorded.shown)
    answered = sum(recorded.shown[each].state == "done" for each in of)
    requests = [each for each in recorded.requests if each["message"] in of]
    waited = [each for each in requests if is_answering(each)]
    behind = [each for each in requests if not is_answering(each)]
    tokens = sum(each["tokens"] for each in waited)
    repeated = sum(each["repeated"] for each in waited)
    return {
        "requests_per_message": round(len(waited) / answered, 4),
        "background_per_message": round(len(behind) / answered, 4),
        "tokens_per_turn": round(tokens / answered, 1),
        "fresh_tokens_per_turn": round((tokens - repeated) / answered, 1),
        "background_tokens_per_turn": round(sum(each["tokens"] for each in behind) / answered, 1),
        "prefix_share": round(repeated / tokens, 4),
    }


def usages(replay: Recorded, before: Recorded) -> dict[str, float]:
    compared = usage(replay, list(before.shown))
    found = usage(replay)
    found |= {f"before.{name}": value for name, value in usage(before).items()}
    return found | {f"compared.{name}": value for name, value in compared.items()}


def by_hand(
    ours: Mapping[str, Verdict], compared: Verdicts, worse: Sequence[str]
) -> dict[str, float]:
    """Return what the judges said; `worse` are messages in which the replay has new failures."""
    right = [each.right and message not in worse for message, each in ours.items()]
    figures: dict[str, float] = {"by_hand.messages": len(ours), "by_hand.right": _share(right)}
    for system, name in SHARES.items():
        figures[name] = _share([each.right for each in compared[system].values()])
    figures["by_hand.harmful"] = sum(each.harmful for each in ours.values())
    figures["by_hand.altered_wrongly"] = sum(each.altered_wrongly for each in ours.values())
    return figures


async def roomy_usage(
    script: Sequence[ScriptMessage], recordings: Path, ours: Recorded
) -> dict[str, float]:
    """Return requests and tokens of a roomy assistant."""
    answers = QuietBackground(Replay.load(recordings / f"{OURS}.json"))
    roomy = await replayed(script, answers, context="roomy")
    found = {f"roomy.{name}": value for name, value in usage(roomy).items()}
    return found | {"roomy.failing": len(newly_failing(ours, roomy))}


def newly_failing(recorded: Recorded, replay: Recorded) -> list[str]:
    return [m for m, found in replay.failures.items() if set(found) - set(recorded.failures[m])]


def details(script: Sequence[ScriptMessage], compared: Verdicts) -> dict[str, Any]:
    """Return the sums of what was judged by system, and what was right by kind."""
    kinds = {message.id: message.kind for message in script}
    right: defaultdict[str, Counter[str]] = defaultdict(Counter)
    sums: dict[str, dict[str, int]] = {}
    for system, verdicts in compared.items():
        for message, verdict in verdicts.items():
            right[kinds[message]][system] += verdict.right
        sums[system] = {
            name: sum(getattr(each, name) or 0 for each in verdicts.values())
            for name in ("right", "score", "harmful", "altered_wrongly", "memory_ok", "sources_ok")
        }
    return {"compared": sums, "right_by_kind": {kind: dict(each) for kind, each in right.items()}}


def _share(values: Sequence[bool]) -> float:
    return round(sum(values) / len(values), 4)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recordings", type=Path, default=RECORDINGS)
    parser.add_argument("--verdicts", type=Path, default=VERDICTS)
    parser.add_argument("--script", type=Path, default=SCRIPT)
    parser.add_argument("--show", action="store_true", help="print, attack and write nothing")
    given = parser.parse_args(arguments)
    script = load(given.script)
    recordings = loaded(given.recordings, SYSTEMS)
    ours = verdicts_of(given.verdicts / f"{OURS}.json", recordings)[OURS]
    compared = verdicts_of(given.verdicts / "compared.json", recordings)
    missing = [message.id for message in script if message.id not in ours]
    assert not missing, f"not judged: {', '.join(missing)}"
    replay = asyncio.run(replayed(script, Replay.load(given.recordings / f"{OURS}.json")))
    worse = newly_failing(recordings[OURS], replay)
    roomy = asyncio.run(roomy_usage(script, given.recordings, recordings[OURS]))
    figures = by_hand(ours, compared, worse) | roomy
    figures |= usages(replay, recordings["before"])
    configuration = details(script, compared) | {"worse_in_replay": worse}
    print(json.dumps(figures, indent=1))
    if not given.show:
        figures |= asyncio.run(attack())
        results.write("turn_model", figures, configuration)
        publish("turn_model", everything(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())

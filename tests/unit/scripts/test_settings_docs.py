import json
import re
from pathlib import Path

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from saegim.app.settings import Settings

PAGE = Path(__file__).parents[3] / "docs/reference/settings.md"
ROW = re.compile(r"^\| `(SAEGIM_\w+)` \| (unset|`[^`]+`) \| (.+) \|$", re.MULTILINE)


def shown(default: object) -> str:
    if default is None:
        return "unset"
    if isinstance(default, BaseModel):
        default = default.model_dump()
    if isinstance(default, dict):
        return f"`{json.dumps(default)}`"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def in_code() -> dict[str, str]:
    fields = Settings.model_fields.items()
    assert all(field.default is not PydanticUndefined for _, field in fields)
    return {f"SAEGIM_{name.upper()}": shown(field.default) for name, field in fields}


def test_every_setting_stands_in_the_docs_with_its_default_and_no_other_does() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8"))
    assert {name: default for name, default, _ in rows} == in_code()
    assert len(rows) == len(in_code())

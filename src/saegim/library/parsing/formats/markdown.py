"""Parse Markdown with tables, front matter and embedded HTML."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import table
from saegim.library.types import BlockKind, ParsedDocument

_FENCED = re.compile(
    r"\s*---[ \t]*\n(?P<inside>.{0,8000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL
)
_SCALAR = re.compile(r"([\w가-힣][\w가-힣 .-]{0,60}?)\s*:[ \t]*(.*)")
_NAMES = {
    "id": "id",
    "doc_id": "id",
    "slug": "id",
    "title": "title",
    "제목": "title",
    "type": "type",
    "종류": "type",
    "유형": "type",
}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    id: str | None = None
    title: str | None = None
    type: str | None = None
    others: dict[str, str] = field(default_factory=dict[str, str])


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Return the single-line values of the front matter, and the text without it."""
    match = _FENCED.match(text)
    if match is None:
        return FrontMatter(), text
    values: dict[str, str] = {}
    others: dict[str, str] = {}
    for line in match["inside"].split("\n"):
        scalar = _SCALAR.fullmatch(line)
        if scalar is None:
            continue
        name, value = scalar[1].strip().lower(), scalar[2].strip().strip("\"'")
        known = _NAMES.get(name)
        if known is not None:
            values.setdefault(known, value)
        elif value:
            others[name] = value
    matter = FrontMatter(values.get("id"), values.get("title"), values.get("type"), others)
    return matter, text[match.end() :]


_LINK_LENGTH = 200


def read(text: str, _: ParseLimits) -> list[ParsedDocument]:
    matter, text = split_front_matter(text)
    outline = Outline()
    add_markdown(outline, text)
    return [
        outline.document(
            matter.title or outline.first_heading,
            outside_id=matter.id,
            type=matter.type,
            metadata=matter.others | {"format": "markdown"},
        )
    ]


def add_markdown(outline: Outline, text: str) -> None:
    """Add the text's headings and blocks to the outline."""
    tree = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text))
    for node in tree.children:
        _add(outline, node)


def _add(outline: Outline, node: SyntaxTreeNode) -> None:
    match node.type:
        case "heading":
            outline.heading(int(node.tag[1]), _inline(node))
        case "paragraph":
            outline.add(BlockKind.PARAGRAPH, _inline(node))
        case "ordered_list":
            outline.add(BlockKind.STEPS, _list(node))
        case "bullet_list":
            outline.add(BlockKind.LIST, _list(node))
        case "table":
            outline.add(BlockKind.TABLE, table(_rows(node)))
        case "fence" | "code_block":
            outline.add(BlockKind.CODE, _code(node))
        case "html_block":
            _add_html(outline, node.content)
        case "blockquote":
            for child in node.children:
                _add(outline, child)
        case _:
            return


def _add_html(outline: Outline, text: str) -> None:
    # Imported here: most Markdown has no HTML.
    from saegim.library.parsing.formats.html import add_html  # noqa: PLC0415

    add_html(outline, text)


def _list(node: SyntaxTreeNode) -> str:
    number = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    items: list[str] = []
    for item in node.children:
        mark = "-" if number is None else f"{number}."
        number = None if number is None else number + 1
        text = "\n".join(filter(None, (_within(child) for child in item.children)))
        items.append(f"{mark} {text.replace('\n', '\n' + ' ' * (len(mark) + 1))}")
    return "\n".join(items)


def _within(node: SyntaxTreeNode) -> str:
    """Render a block inside a list item."""
    match node.type:
        case "ordered_list" | "bullet_list":
            return _list(node)
        case "fence" | "code_block":
            return _code(node)
        case "table":
            return table(_rows(node))
        case "blockquote":
            return "\n".join(_within(child) for child in node.children)
        case "html_block":
            outline = Outline()
            _add_html(outline, node.content)
            return "\n".join(block.text for block in outline.blocks)
        case _:
            return _inline(node)


def _rows(node: SyntaxTreeNode) -> Iterable[list[str]]:
    for part in node.children:
        for row in part.children:
            yield [_inline(cell) for cell in row.children]


def _code(node: SyntaxTreeNode) -> str:
    longest = max(
        (len(line) for line in node.content.split("\n") if line.startswith("```")), default=0
    )
    fence = "`" * max(3, longest + 1 if longest else 3)
    return f"{fence}{node.info.strip()}\n{node.content.rstrip('\n')}\n{fence}"


def _inline(node: SyntaxTreeNode) -> str:
    """Return the text of a block, links with absolute targets, pictures as alt text."""
    words: list[str] = []
    for child in node.children:
        match child.type:
            case "text":
                words.append(child.content)
            case "code_inline":
                words.append(f"`{child.content}`")
            case "softbreak" | "hardbreak":
                words.append("\n")
            case "html_inline":
                words.append("\n" if child.content.lower().startswith("<br") else "")
            case "link":
                words.append(_link(child))
            case _:
                words.append(_inline(child))
    return "".join(words)


def _link(node: SyntaxTreeNode) -> str:
    text, target = _inline(node), str(node.attrs.get("href", ""))
    has_target = target.startswith(("http://", "https://")) and len(target) <= _LINK_LENGTH
    return f"{text} ({target})" if has_target and text.strip() != target else text

"""Parse the visible main part of HTML, without navigation, scripts and hidden text.

Not recursive: a page may nest a hundred thousand elements.
"""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.numbering import int_or_1
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import TableCell, grid, table
from saegim.library.types import BlockKind, ParsedDocument

_DROPPED = {
    "script", "style", "noscript", "template", "nav", "footer", "iframe", "object", "embed", "svg",
    "canvas", "audio", "video", "head", "title", "select", "button", "input", "textarea", "dialog",
    "menu", "math",
}  # fmt: skip
_DROPPED_ROLES = {"navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog"}
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = {
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "form", "header", "hgroup", "hr", "legend", "li",
    "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
    "tr", "ul", "body", "html", "caption", *_HEADINGS,
}  # fmt: skip
_SPACE = re.compile(r"[ \t\r\n\f]+")
_SPACES = re.compile(r"[ \t]{2,}")
_AROUND_BREAK = re.compile(r"\s*\n\s*")
_LINES = re.compile(r"[ \t]*\n(?:[ \t]*\n)*")
_LANGUAGE = re.compile(r"\b(?:language|lang|highlight-source)-([\w+#-]{1,20})")
_LISTS = {"ol": BlockKind.STEPS, "ul": BlockKind.LIST}
_LIST_DEPTH = 8


def read(text: str, _: ParseLimits) -> list[ParsedDocument]:
    tree = LexborHTMLParser(text)
    outline = Outline()
    if tree.body is not None:
        _Page(outline).read(_main_part(tree.body))
    return [outline.document(_title(tree, outline), metadata={"format": "html"})]


def add_html(outline: Outline, text: str) -> None:
    """Add the blocks of an HTML fragment to the outline."""
    body = LexborHTMLParser(text).body
    if body is not None:
        _Page(outline).read(body)


def _main_part(body: LexborNode) -> LexborNode:
    mains = [node for node in body.css("main, [role=main]") if not _is_dropped(node)]
    return mains[0] if len(mains) == 1 else body


def _title(tree: LexborHTMLParser, outline: Outline) -> str | None:
    """Return the only h1, or the title, which often ends with the site's name."""
    headings = [_words(node) for node in tree.css("h1")]
    title = tree.css_first("head > title")
    page_title = _words(title, whole=True) if title is not None else ""
    heading = headings[0] if len(headings) == 1 else ""
    return heading or page_title or outline.first_heading


class _Page:
    """Reads a tree; text between blocks is buffered into paragraphs."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._buffer: list[str] = []

    def read(self, root: LexborNode) -> None:
        pending: list[LexborNode | None] = [root]
        while pending:
            node = pending.pop()
            if node is None:
                self._flush()
            elif node.is_text_node:
                self._buffer.append(_SPACE.sub(" ", node.text_content or ""))
            elif not _is_dropped(node) and not self._read_block(node):
                if node.tag in _BLOCKS:
                    self._flush()
                    pending.append(None)
                self._buffer.append(_mark(node))
                pending.extend(reversed(list(node.iter(include_text=True))))
        self._flush()

    def _flush(self) -> None:
        self._outline.add(BlockKind.PARAGRAPH, _joined(self._buffer))
        self._buffer.clear()

    def _read_block(self, node: LexborNode) -> bool:
        """Read a heading, list, table or code; return whether it was one."""
        tag = node.tag or ""
        if tag in _HEADINGS:
            self._flush()
            self._outline.heading(_HEADINGS[tag], _words(node))
        elif tag in _LISTS:
            self._flush()
            self._outline.add(_LISTS[tag], _list(node, 1))
        elif tag == "pre":
            self._flush()
            self._outline.add(BlockKind.CODE, _code(node))
        elif tag == "table" and (rows := _rows(node)) is not None:
            self._flush()
            self._outline.add(BlockKind.TABLE, table(rows))
        else:
            return False
        return True


def _is_dropped(node: LexborNode) -> bool:
    if not node.is_element_node or node.tag in _DROPPED:
        return True
    attributes = node.attributes
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or attributes.get("role") in _DROPPED_ROLES
        or _HIDDEN_STYLE.search(attributes.get("style") or "") is not None
    )


def _mark(node: LexborNode) -> str:
    if node.tag == "br":
        return "\n"
    return f" {node.attributes.get('alt') or ''} " if node.tag == "img" else ""


def _joined(words: list[str]) -> str:
    return _AROUND_BREAK.sub("\n", _SPACES.sub(" ", "".join(words))).strip()


def _words(root: LexborNode, *, without_lists: bool = False, whole: bool = False) -> str:
    """Return the text of a node; in list items, code and tables keep their lines."""
    words: list[str] = []
    pending: list[LexborNode | None] = [*reversed(list(root.iter(include_text=True)))]
    while pending:
        node = pending.pop()
        if node is None:
            words.append("\n")
            continue
        tag = node.tag or ""
        if node.is_text_node:
            words.append(_SPACE.sub(" ", node.text_content or ""))
        elif (_is_dropped(node) and not whole) or (without_lists and tag in _LISTS):
            continue
        elif without_lists and tag == "pre":
            words.append(f"\n{_code(node)}\n")
        elif without_lists and tag == "table" and (rows := _rows(node)) is not None:
            words.append(f"\n{table(rows)}\n")
        else:
            words.append("\n" if tag in _BLOCKS else _mark(node))
            if tag in _BLOCKS:
                pending.append(None)
            pending.extend(reversed(list(node.iter(include_text=True))))
    if without_lists:
        return _LINES.sub("\n", "".join(words)).strip()
    return _joined(words)


def _list(node: LexborNode, depth: int) -> str:
    number = int_or_1(node.attributes.get("start"), 5)
    items: list[str] = []
    for item in node.iter():
        if item.tag != "li" or _is_dropped(item):
            continue
        mark = f"{number}." if node.tag == "ol" else "-"
        text = _words(item, without_lists=depth < _LIST_DEPTH)
        if depth < _LIST_DEPTH:
            text = "\n".join([text, *(_list(inner, depth + 1) for inner in _lists(item))])
        if text.strip():
            items.append(f"{mark} {text.strip().replace('\n', '\n' + ' ' * (len(mark) + 1))}")
            number += 1
    return "\n".join(items)


def _lists(item: LexborNode) -> Iterator[LexborNode]:
    """Yield the lists directly inside an item."""
    pending = list(reversed(list(item.iter())))
    while pending:
        node = pending.pop()
        if node.tag in _LISTS:
            yield node
        elif not _is_dropped(node):
            pending.extend(reversed(list(node.iter())))


def _code(node: LexborNode) -> str:
    """Return preformatted text as a fenced block with its language."""
    inner = node.css_first("code")
    elements = [node] if inner is None else [node, inner]
    classes = " ".join(each.attributes.get("class") or "" for each in elements)
    language = _LANGUAGE.search(classes)
    words: list[str] = []
    pending = list(reversed(list(node.iter(include_text=True))))
    while pending:
        part = pending.pop()
        if part.is_text_node:
            words.append(part.text_content or "")
        elif part.is_element_node:
            words.append("\n" if part.tag == "br" else "")
            pending.extend(reversed(list(part.iter(include_text=True))))
    text = "".join(words).strip("\n")
    return f"```{language[1] if language else ''}\n{text}\n```" if text.strip() else ""


def _rows(node: LexborNode) -> list[list[str]] | None:
    """Return the cells of a data table; None for a layout table."""
    if node.css_first("td table, th table") is not None:
        return None
    rows = grid(
        [_cell(cell) for cell in row.iter() if cell.tag in ("td", "th") and not _is_dropped(cell)]
        for row in node.css("tr")
        if not _is_dropped(row)
    )
    return rows if len(rows) > 1 and max(map(len, rows)) > 1 else None


def _cell(node: LexborNode) -> TableCell:
    down, across = (int_or_1(node.attributes.get(name), 5) for name in ("rowspan", "colspan"))
    return TableCell(_words(node), down, across)

"""MkDocs hooks: publish the pages of the repository's root, and keep links within the site."""

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# Pages of the repository's root and their paths in the site.
ROOT_PAGES = {
    name: f"project/{name.lower()}"
    for name in (
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CODE_OF_CONDUCT.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    )
} | {"README.md": "index.md", "README.ko.md": "index.md"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
OUTSIDE = re.compile(
    r"<(?:script|iframe|img)\b[^>]*\ssrc=[\"']?(?:https?:)?//|"
    r"<link\b(?=[^>]*rel=[\"']?(?:stylesheet|preconnect))[^>]*href=[\"']?(?:https?:)?//",
    re.IGNORECASE,
)


def site_links(markdown: str, source: str, address: str, root: Path = ROOT) -> str:
    """Rewrites the links of a page for the site.

    `source` is the page's path in the repository and `address` its path in the site. A link to a
    file outside the site becomes plain text. A broken link stays, so that MkDocs reports it.
    """

    def rewritten(found: re.Match[str]) -> str:
        image, text, target = found.groups()
        path, mark, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:|/", path):
            return found[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if file in ROOT_PAGES:
            to = ROOT_PAGES[file]
        elif file.startswith("docs/") and not file.endswith(".toml"):
            to = file.removeprefix("docs/")
        elif (root / file).exists():
            return text
        else:
            return found[0]
        relative = posixpath.relpath(to, posixpath.dirname(address) or ".")
        return f"{image}[{text}]({relative}{mark}{anchor})"

    pieces = re.split(r"(^```.*?^```[^\n]*$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        piece if piece.startswith("```") else LINK.sub(rewritten, piece) for piece in pieces
    )


def outside_loads(html: str) -> list[str]:
    """Returns tags that make a browser load something from another server."""
    return [found[0] for found in OUTSIDE.finditer(html)]


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages of the root."""
    # MkDocs is in the dependency group `docs`, and the functions above are tested without it.
    from mkdocs.structure.files import File  # noqa: PLC0415

    for name, address in ROOT_PAGES.items():
        if address.startswith("project/"):
            text = (ROOT / name).read_text("utf-8")
            content = site_links(text, name, address)
            files.append(File.generated(config, address, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Rewrites links that leave docs/."""
    address: str = page.file.src_uri
    if address.startswith("project/"):
        return markdown
    return site_links(markdown, f"docs/{address}", address)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Fails if a page loads fonts, scripts, styles or images from another server."""
    if found := outside_loads(output):
        raise SystemExit(f"{page.file.src_uri} loads from another server: {found}")
    return output

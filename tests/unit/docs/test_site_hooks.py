from pathlib import Path

from scripts.site_hooks import outside_loads, site_links


def test_links_to_root_pages_lead_into_the_site() -> None:
    text = "[a](../../ARCHITECTURE.md#folders) ![p](../images/why.png) [t](turn.md)"
    assert site_links(text, "docs/concepts/x.md", "concepts/x.md") == (
        "[a](../project/architecture.md#folders) ![p](../images/why.png) [t](turn.md)"
    )


def test_links_of_root_pages_lead_into_the_site() -> None:
    text = "[d](docs/concepts/design.md) [s](SECURITY.md) [e](https://example.com) [h](#here)"
    assert site_links(text, "ARCHITECTURE.md", "project/architecture.md") == (
        "[d](../concepts/design.md) [s](security.md) [e](https://example.com) [h](#here)"
    )


def test_a_link_to_a_file_outside_the_site_becomes_its_text(tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").touch()
    text = "[`compose.yaml`](../../compose.yaml) [gone](../../gone.yaml)"
    assert site_links(text, "docs/how-to/x.md", "how-to/x.md", tmp_path) == (
        "`compose.yaml` [gone](../../gone.yaml)"
    )


def test_code_blocks_stay_as_they_are() -> None:
    text = "```md\n[a](../../ARCHITECTURE.md)\n```\n"
    assert site_links(text, "docs/concepts/x.md", "concepts/x.md") == text


def test_loads_from_other_servers_are_found() -> None:
    assert outside_loads('<script src="https://cdn.example/x.js"></script>')
    assert outside_loads('<link rel="stylesheet" href="//fonts.example/a.css">')
    assert outside_loads('<img alt="" src="http://example.com/a.png">')
    assert not outside_loads('<script src="assets/x.js"></script><a href="https://a.example">a</a>')
    assert not outside_loads('<link rel="canonical" href="https://a.example/">')

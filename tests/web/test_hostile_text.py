"""The renderers of answers, given text that no filter has seen, in a browser without a policy.

The answer filter of the server removes such text already; these tests are about the second wall."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from benchmarks import renderers
from benchmarks.filter_cases import generated
from benchmarks.filter_oracle import TAGS
from benchmarks.renderers import Look, Stage
from tests.web.browser_fixture import EVIL

pytestmark = pytest.mark.requirement("CH3")

MADE = TAGS | {"div", "span", "button", "input"}
MATHS = frozenset({
    "math", "semantics", "annotation", "mrow", "mi", "mo", "mn", "mtext", "mspace", "mover",
    "munder", "munderover", "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "mstyle",
    "mpadded", "mphantom", "menclose", "mtable", "mtr", "mtd", "merror", "mglyph",
})  # fmt: skip
ATTRIBUTES = frozenset({
    "align", "start", "class", "type", "disabled", "target", "rel", "tabindex", "role",
    "aria-label", "href",
})  # fmt: skip
RUN = "window.hacked=1"
TOUCH = """() => {
    for (const each of document.body.querySelectorAll("*"))
        for (const name of ["mouseover", "focus", "click"])
            each.dispatchEvent(new Event(name, { cancelable: true }));
}"""
HOSTILE = [
    EVIL,
    "Write to me@evil.example, <me@evil.example> or [me](mailto:me@evil.example).",
    f"<script>{RUN}</script>",
    f"<img src=https://evil.example/i onerror={RUN}>",
    "<img srcset='https://evil.example/a 1x, https://evil.example/b 2x'>",
    "<picture><source srcset=https://evil.example/s><img src=x></picture>",
    f"<svg><script>{RUN}</script></svg><svg onload={RUN}></svg>",
    f"<svg><a xlink:href='javascript:{RUN}'><text y=20>x</text></a></svg>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s></svg>",
    f"<svg></p><style><a id='</style><img src=1 onerror={RUN}>'>",
    "<svg><use href='data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg/>#x'></svg>",
    f"<svg><foreignObject><iframe srcdoc='<script>{RUN}</script>'></foreignObject></svg>",
    f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src onerror={RUN}'>",
    f"<math><annotation-xml encoding='text/html'><img src=1 onerror={RUN}></annotation-xml></math>",
    f"<math href='javascript:{RUN}'>x</math><math><maction actiontype=toggle>x</maction></math>",
    f"<form><math><mtext></form><form><mglyph><style></math><img src onerror={RUN}>",
    f"<noscript><p title='</noscript><img src=x onerror={RUN}>'></noscript>",
    f"<template><script>{RUN}</script><img src=https://evil.example/t></template>",
    f"<textarea><img title='</textarea><img src=x onerror={RUN}>'></textarea>",
    f"<xmp><p title='</xmp><img src=x onerror={RUN}>'></xmp>",
    f"<noembed><p title='</noembed><img src=x onerror={RUN}>'></noembed>",
    f"<title><p title='</title><img src=x onerror={RUN}>'></title>",
    f"<!--><img src=x onerror={RUN}>--> <!-- --!><img src=x onerror={RUN}> -->",
    f"<![CDATA[<img src=x onerror={RUN}>]]> <?xml <img src=x onerror={RUN}>?>",
    f"<iframe src='javascript:{RUN}'></iframe><iframe srcdoc='<script>parent.hacked=1</script>'>",
    "<object data=https://evil.example/o></object><embed src=https://evil.example/e>",
    f"<video src=https://evil.example/v autoplay onerror={RUN}></video>",
    f"<audio src=https://evil.example/a onerror={RUN}></audio>",
    f"<video><source onerror={RUN} src=x></video>",
    f"<input autofocus onfocus={RUN}><select autofocus onfocus={RUN}><option>a</select>",
    f"<details open ontoggle={RUN}>x</details><marquee onstart={RUN}>x</marquee>",
    f"<p onmouseover={RUN} style='position:fixed;inset:0' id=boot name=boot>x</p>",
    "<p style='background:url(https://evil.example/bg)'>x</p>",
    "<style>@import 'https://evil.example/c.css'; * { display: none }</style>",
    "<link rel=stylesheet href=https://evil.example/l.css><link rel=prefetch href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<base href=https://evil.example/><a href=x>x</a>",
    f"<form action=https://evil.example><button formaction='javascript:{RUN}'>x</button></form>",
    "<form><input name=childNodes><input name=attributes><input name=localName></form>",
    "<form name=body></form><img name=documentElement><a id=createElement></a>",
    "<table background=https://evil.example/t><td background=https://evil.example/d>x</table>",
    "<a ping=https://evil.example/p href=https://evil.example/ download>x</a>",
    f"<a href='javascript:{RUN}'>x</a><a href=' &#1;javascript:{RUN}'>x</a>",
    f"<a href='java&Tab;script:{RUN}'>x</a><a href='JaVaScRiPt&colon;{RUN}'>x</a>",
    f"<a href='data:text/html,<script>{RUN}</script>'>x</a><a href='vbscript:x'>x</a>",
    "<a href='blob:https://a.example/x'>x</a><a href='file:///etc/passwd'>x</a><a href='//e'>x</a>",
    f"[x](javascript:{RUN}) [x](<java\tscript:{RUN}>) [x](data:text/html,x) <javascript:{RUN}>",
    f"[x](https://a.example '\" onmouseover={RUN} x=\"') ![x](https://evil.example/m.png)",
    f"[r]: javascript:{RUN}\n\n[x][r] ![y][r]",
    f"```\"><img src=x onerror={RUN}>\n<img src=x onerror={RUN}>\n```",
    f"```html\n<img src=x onerror={RUN}></code></pre><script>{RUN}</script>\n```",
    f"$$\\href{{javascript:{RUN}}}{{x}} \\url{{javascript:{RUN}}}$$",
    f"$$\\htmlData{{onclick={RUN}}}{{x}} \\htmlStyle{{background:url(//evil.example)}}{{x}}$$",
    f"$$\\includegraphics{{https://evil.example/k.png}} \\text{{<img src=x onerror={RUN}>}}$$",
    f"$x^<img src=x onerror={RUN}>$ \\(<svg onload={RUN}>\\)",
    f"| <img src=x onerror={RUN}> | b |\n| --- | --- |\n| <script>{RUN}</script> | `</td>` |",
    f"- [x] <input onfocus={RUN} autofocus>\n- [ ] </li></ul><script>{RUN}</script>",
    f"<custom-element is=x onclick={RUN}>x</custom-element><div is=x slot=y part=z>x</div>",
    '<span class="cite" data-marker="1" popover id=x tabindex=1>x</span><dialog open>x</dialog>',
    "<div><template shadowrootmode=open><img src=https://evil.example/sh></template></div>",
    "<b>" * 3000 + "x",
]  # fmt: skip


@pytest.fixture(scope="module")
async def stage(browser: Any) -> AsyncIterator[Stage]:
    renderers.build()
    async with renderers.staged(browser) as opened:
        yield opened


def unlisted(look: Look, tags: frozenset[str]) -> list[str]:
    """Return the elements and attributes that the renderers never make."""
    found = [tag for tag in look.tags if tag not in tags]
    for tag, name, value in look.attributes:
        if name == "href" and not value.strip().lower().startswith(("http:", "https:")):
            found.append(f"{tag} {name}={value}")
        if tag in MATHS:
            found += [name] if name in ("href", "src", "style") or name.startswith("on") else []
        elif name not in ATTRIBUTES:
            found.append(f"{tag} {name}={value}")
    return found


@pytest.mark.parametrize("renderer", renderers.RENDERERS)
async def test_unfiltered_text_runs_and_loads_nothing(stage: Stage, renderer: str) -> None:
    tags = MADE | (MATHS if renderer == "renderer" else frozenset())
    texts = [*HOSTILE, *generated(500, 23)]
    looks = await stage.render(texts, renderer, decorated=True)
    await stage.page.evaluate(TOUCH)
    await stage.page.wait_for_timeout(200)

    assert await stage.page.evaluate("window.hacked") is None
    assert (stage.requests, stage.errors) == ([], [])
    assert stage.page.url == f"{renderers.SITE}/"
    found = {text: unlisted(look, tags) for text, look in zip(texts, looks, strict=True)}
    assert {text: each for text, each in found.items() if each} == {}


async def test_classes_of_a_text_are_not_those_of_the_page(stage: Stage) -> None:
    text = '<span class="cite copy-code">x</span> <div class="code">y</div> <p class="maths">z</p>'
    for renderer in renderers.RENDERERS:
        [look] = await stage.render([text], renderer)
        given = [value for _, name, value in look.attributes if name == "class"]
        assert set(given) <= {"maths"}


def test_the_widget_is_built_with_its_own_sanitizer() -> None:
    """So that the tests above are about both."""
    pages, widget = (renderers.BUILT / name / "renderer.js" for name in renderers.RENDERERS)
    assert "DOMPurify" in pages.read_text()
    assert "DOMPurify" not in widget.read_text()

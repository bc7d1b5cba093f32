import unicodedata

import pytest

from saegim.domain.errors import Unreadable
from saegim.library.types import BlockKind
from tests.integration.library.parsing.reading import flat, read, text_of

GUIDE = """---
id: gcb-123
title: 장비 안내
type: SOP
version: "1.2"
---
# 설치

머리말은 **중요**하고 [여기](https://example.com/a)와 [아래](#b)를 봅니다.

아래 순서로 합니다:

1. 전원을 켭니다.
   - 파란 불을 확인합니다.
2. 명령을 실행합니다.

```sh
ls -l  # 1. 아님
```

3. 끝냅니다.

## 규격

| 항목 | 값 |
| --- | --- |
| 전압 | 220V |
| 소음 | 30dB\\|40dB |

- 첫째
- 둘째

# 문의

<details><summary>더 보기</summary>고객센터</details>
"""

STEPS = """1. 전원을 켭니다.
   - 파란 불을 확인합니다.
2. 명령을 실행합니다.

```sh
ls -l  # 1. 아님
```

3. 끝냅니다."""


def test_markdown_gives_sections_steps_tables_lists_and_code() -> None:
    document = read(GUIDE, "안내.md")
    assert flat(document) == [
        (
            ("설치",),
            [
                (
                    BlockKind.PARAGRAPH,
                    "머리말은 중요하고 여기 (https://example.com/a)와 아래를 봅니다.",
                ),
                (BlockKind.PARAGRAPH, "아래 순서로 합니다:"),
                (
                    BlockKind.STEPS,
                    STEPS,
                ),
            ],
        ),
        (
            ("설치", "규격"),
            [
                (
                    BlockKind.TABLE,
                    "| 항목 | 값 |\n| --- | --- |\n| 전압 | 220V |\n| 소음 | 30dB\\|40dB |",
                ),
                (BlockKind.LIST, "- 첫째\n- 둘째"),
            ],
        ),
        (
            ("문의",),
            [(BlockKind.PARAGRAPH, "더 보기"), (BlockKind.PARAGRAPH, "고객센터")],
        ),
    ]


@pytest.mark.requirement("LB1")
def test_front_matter_names_the_document() -> None:
    document = read(GUIDE, "안내.md")
    assert (document.outside_id, document.title, document.type) == ("gcb-123", "장비 안내", "sop")
    assert document.metadata == {"file": "안내.md", "version": "1.2", "format": "markdown"}


def test_markdown_without_front_matter_takes_its_title_from_the_first_heading() -> None:
    assert read("앞말\n\n## 소제목\n\n글", "a.md").title == "소제목"
    assert read("글만", "a.md").title is None


def test_a_code_block_that_holds_a_fence_keeps_it_inside() -> None:
    (block,) = read("````\n```\nx\n```\n````\n", "a.md").sections[0].blocks
    assert block.kind is BlockKind.CODE
    assert block.text == "````\n```\nx\n```\n````"


def test_nothing_of_a_decomposed_file_stays_decomposed() -> None:
    plain = "# 설치 안내\n\n1. 켭니다\n2. 끕니다\n\n| 값 |\n| --- |\n| 전압 |\n"
    document = read(unicodedata.normalize("NFD", plain), unicodedata.normalize("NFD", "안내.md"))
    assert document == read(plain, "안내.md")
    assert document.metadata["file"] == "안내.md"


PAGE = """<!doctype html><html><head><title>안내 | 사이트</title><style>p {}</style></head>
<body><header><a href="/">홈</a></header><nav>메뉴</nav>
<main><h1>제품 안내</h1>
<p>첫 문단은<br>두 줄입니다. <span hidden>숨김</span><span style="display: none">없음</span></p>
<div aria-hidden="true">장식</div><script>alert(1)</script><!-- 주석 -->
글 <b>사이</b>의 글
<ol start="3"><li>셋째<ul><li>속</li></ul></li><li>넷째<pre><code class="language-sh">ls
  -l</code></pre></li></ol>
<h2>표</h2>
<table><thead><tr><th>이름</th><th colspan="2">값</th></tr></thead>
<tr><td rowspan="2">가</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>
<table><tr><td>배치만 하는 칸</td></tr></table>
<img src="a.png" alt="그림 설명">
<pre>x = 1
  y = 2</pre>
</main><footer>바닥</footer></body></html>"""


def test_html_gives_what_a_reader_sees_of_the_main_part() -> None:
    document = read(PAGE, "a.html")
    assert document.title == "제품 안내"
    assert flat(document) == [
        (
            ("제품 안내",),
            [
                (BlockKind.PARAGRAPH, "첫 문단은\n두 줄입니다."),
                (BlockKind.PARAGRAPH, "글 사이의 글"),
                (
                    BlockKind.STEPS,
                    "3. 셋째\n   - 속\n4. 넷째\n   ```sh\n   ls\n     -l\n   ```",
                ),
            ],
        ),
        (
            ("제품 안내", "표"),
            [
                (
                    BlockKind.TABLE,
                    "| 이름 | 값 |  |\n| --- | --- | --- |\n| 가 | 1 | 2 |\n| 가 | 3 | 4 |",
                ),
                (BlockKind.PARAGRAPH, "배치만 하는 칸"),
                (BlockKind.PARAGRAPH, "그림 설명"),
                (BlockKind.CODE, "```\nx = 1\n  y = 2\n```"),
            ],
        ),
    ]


def test_html_without_a_main_part_drops_navigation_and_footer() -> None:
    page = "<html><body><nav>메뉴</nav><div role=navigation>길</div><p>글</p><footer>끝</footer>"
    assert text_of(read(page, "a.html")) == "글"


def test_a_page_of_nothing_but_navigation_is_empty() -> None:
    with pytest.raises(Unreadable, match="empty"):
        read("<html><body><nav>메뉴</nav><script>1</script></body></html>", "a.html")


def test_nesting_beyond_every_page_is_read_without_recursion() -> None:
    depth = 3_000
    assert text_of(read("<div>" * depth + "<p>깊은 글</p>", "a.html")) == "깊은 글"
    lists = "<ul><li>항목" * 200
    assert text_of(read(lists, "a.html")).count("항목") == 200

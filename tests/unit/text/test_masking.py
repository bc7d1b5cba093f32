import time
import unicodedata
from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from saegim.text.masking import MaskedText, MaskKind, mask, mask_contacts

PROPERTY = settings(deadline=None)
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
OUR_KEY = "sgm_0123456789abcdef0123456789abcdef_abcdefghijklmnopqrstuvwxyzABCDEFGHIJ-_012345"
PRIVATE_KEY = (
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq\nsecret/line+2==\n"
    "-----END RSA PRIVATE KEY-----"
)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("주민번호 900101-1234567 입니다", "주민번호 [NATIONAL_ID] 입니다"),
        ("주민번호900101-1234567이에요", "주민번호[NATIONAL_ID]이에요"),
        ("9001011234567", "[NATIONAL_ID]"),
        ("900101 1234567", "[NATIONAL_ID]"),
        ("900101 - 1234567", "[NATIONAL_ID]"),
        ("900101–1234567", "[NATIONAL_ID]"),
        ("900101ㅡ1234567", "[NATIONAL_ID]"),
        ("９００１０１－１２３４５６７", "[NATIONAL_ID]"),
        ("900101\u200b-1234567", "[NATIONAL_ID]"),
        ("٩٠٠١٠١-١٢٣٤٥٦٧", "[NATIONAL_ID]"),
        ("외국인등록번호 850505-5678901", "외국인등록번호 [NATIONAL_ID]"),
        ("040229-3123456", "[NATIONAL_ID]"),
        ("900101-1234567,850505-2345678", "[NATIONAL_ID],[NATIONAL_ID]"),
        ("My SSN is 123-45-6789.", "My SSN is [NATIONAL_ID]."),
        ("SSN: 123456789", "SSN: [NATIONAL_ID]"),
        ("social security number 123 45 6789", "social security number [NATIONAL_ID]"),
    ],
)
def test_national_ids_become_placeholders(said: str, stored: str) -> None:
    assert mask(said).text == stored


@pytest.mark.parametrize(
    "text",
    [
        "901301-1234567",  # no thirteenth month
        "900230-1234567",  # no thirtieth of February
        "010229-3123456",  # 2001 was no leap year
        "900101-9234567",
        "900101-0234567",
        "20900101-1234567",
        "900101-12345678",
        "주문번호 241115-1234567",
        "주문번호는 2411151234567",
        "Order #2411151234567",
        "운송장 6012345678901",
        "바코드: 8801234567890",
        "0.9001011234567",
        "AB9001011234567",
    ],
)
def test_other_long_numbers_are_no_national_ids(text: str) -> None:
    assert mask(text) == MaskedText(text, ())


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("4111-1111-1111-1111", "[CARD_NUMBER]"),
        ("4111111111111111", "[CARD_NUMBER]"),
        ("카드 4111 1111 1111 1111 12/27", "카드 [CARD_NUMBER] 12/27"),
        ("4111 1111 1111 1111 123", "[CARD_NUMBER] 123"),
        ("5555.5555.5555.4444", "[CARD_NUMBER]"),
        ("3782 822463 10005", "[CARD_NUMBER]"),
        ("3056-930902-5904", "[CARD_NUMBER]"),
        ("4222222222222", "[CARD_NUMBER]"),
        ("6011 1111 1111 1117로 결제", "[CARD_NUMBER]로 결제"),
        ("６２０５－５０００－００００－００００－００４", "[CARD_NUMBER]"),
        ("6205 5000 0000 0000 004", "[CARD_NUMBER]"),
    ],
)
def test_cards_are_known_by_their_check_digit(said: str, stored: str) -> None:
    assert mask(said).text == stored


@pytest.mark.parametrize(
    "text",
    ["4111-1111-1111-1112", "1234567890123456", "주문번호: 4111111111111111", "2024111512345678"],
)
def test_numbers_that_fail_the_check_or_say_otherwise_are_no_cards(text: str) -> None:
    assert mask(text) == MaskedText(text, ())


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("계좌번호: 110-123-456789", "계좌번호: [ACCOUNT_NUMBER]"),
        ("통장 11012345678901", "통장 [ACCOUNT_NUMBER]"),
        ("국민 123456-01-123456", "국민 [ACCOUNT_NUMBER]"),
        ("110-123-456789 신한은행", "[ACCOUNT_NUMBER] 신한은행"),
        ("카카오뱅크 3333-01-1234567로 입금", "카카오뱅크 [ACCOUNT_NUMBER]로 입금"),
        ("계좌\n110 123 456789", "계좌\n[ACCOUNT_NUMBER]"),
        ("bank account 123456789012", "bank account [ACCOUNT_NUMBER]"),
        ("전화로 알려준 계좌는 110-123-456789", "전화로 알려준 계좌는 [ACCOUNT_NUMBER]"),
    ],
)
def test_account_numbers_are_known_by_the_words_around_them(said: str, stored: str) -> None:
    assert mask(said).text == stored


@pytest.mark.parametrize(
    "text",
    [
        "110-123-456789",
        "계좌로 1500000000원 보냈어",
        "계좌로 1,500,000원 보냈어",
        "계좌 개설일 2024-11-15",
        "은행 점포 수\n2019 2020 2021 2022 2023",
        "계좌 문의는 010-1234-5678",
        "입금 확인 전화 02-123-4567",
        "송금 거래번호 20241115123456",
        "AWS account 123456789012의 비용",
    ],
)
def test_numbers_near_an_account_that_are_something_else_survive(text: str) -> None:
    assert mask(text) == MaskedText(text, ())


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("124-81-00998", "[BUSINESS_NUMBER]"),
        ("사업자등록번호 123-45-67890", "사업자등록번호 [BUSINESS_NUMBER]"),
        ("사업자번호는 1234567890", "사업자번호는 [BUSINESS_NUMBER]"),
        ("130111-0006246", "[BUSINESS_NUMBER]"),
        ("법인등록번호: 110111-1234567", "법인등록번호: [BUSINESS_NUMBER]"),
        ("법인번호는 1101111234567", "법인번호는 [BUSINESS_NUMBER]"),
        (
            "법인 대표 주민번호 900101-1234567, 법인번호 130111-0006246",
            "법인 대표 주민번호 [NATIONAL_ID], 법인번호 [BUSINESS_NUMBER]",
        ),
        ("여권번호 M12345678", "여권번호 [PASSPORT]"),
        ("passport no. M123A4567", "passport no. [PASSPORT]"),
        ("11-12-345678-90", "[DRIVER_LICENSE]"),
        ("운전면허 서울 12-345678-90", "운전면허 서울 [DRIVER_LICENSE]"),
        ("driver's license 111234567890", "driver's license [DRIVER_LICENSE]"),
    ],
)
def test_other_registered_numbers_become_placeholders(said: str, stored: str) -> None:
    assert mask(said).text == stored


@pytest.mark.parametrize("text", ["123-45-67890", "123456-0234567", "부품 M12345678"])
def test_registered_numbers_need_a_check_digit_or_a_word(text: str) -> None:
    assert mask(text) == MaskedText(text, ())


def test_a_company_that_looks_like_a_birth_date_is_told_from_a_person() -> None:
    assert mask("110111-1000001").kinds == (MaskKind.BUSINESS_NUMBER,)
    assert mask("주민번호 110111-1000001").kinds == (MaskKind.NATIONAL_ID,)


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcDEF1234567890abcdef",
        "sk_live_abcdef1234567890",
        "whsec_MfKQ9r8+GKYqrT/wjUPD8ILPZIo2LaLaSw==",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "gho_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "xoxb-123456789012-abcdefghijkl",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        JWT,
        OUR_KEY,
        PRIVATE_KEY,
    ],
)
def test_issued_secrets_are_known_by_their_form(secret: str) -> None:
    assert mask(f"이건 {secret}\n입니다") == MaskedText("이건 [SECRET]\n입니다", (MaskKind.SECRET,))


def test_a_private_key_that_was_cut_off_leaves_nothing_behind() -> None:
    cut_off = PRIVATE_KEY.partition("secret/")[0]
    assert mask(f"키: {cut_off}이게 뭐죠?").text == "키: [SECRET]\n이게 뭐죠?"


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("password: hunter2", "password: [SECRET]"),
        ("Password = abc123!@#, thanks", "Password = [SECRET], thanks"),
        ('{"password": "my long phrase", "x": 1}', '{"password": "[SECRET]", "x": 1}'),
        ("DB_PASSWORD=sup3rs3cret;Server=x", "DB_PASSWORD=[SECRET];Server=x"),
        ("my password is hunter2.", "my password is [SECRET]."),
        ("my password is sunshine", "my password is [SECRET]"),
        ("change the password to hunter2 now", "change the password to [SECRET] now"),
        ("password: password: hunter2", "password: password: [SECRET]"),
        ("비밀번호는 hunter2야", "비밀번호는 [SECRET]야"),
        ("비밀번호는 qwerty", "비밀번호는 [SECRET]"),
        ("비밀번호는 1234로 설정했어", "비밀번호는 [SECRET]로 설정했어"),
        ("비밀번호(임시): abcd1234", "비밀번호(임시): [SECRET]"),
        ("비번 1234야", "비번 [SECRET]야"),
        ("비번 hunter2 맞지?", "비번 [SECRET] 맞지?"),
        ("비번: 사랑해1234!", "비번: [SECRET]"),
        ("비밀번호는 사랑해1234 맞아", "비밀번호는 [SECRET] 맞아"),
        ("password: %Ab(9[xK/{z", "password: [SECRET]"),
        ("CVC 123", "CVC [SECRET]"),
        ("pw는 abcd!234 입니다", "pw는 [SECRET] 입니다"),
        ("ｐａｓｓｗｏｒｄ：hunter2", "ｐａｓｓｗｏｒｄ：[SECRET]"),
        ("api_key=abcd1234efgh", "api_key=[SECRET]"),
        ("SECRET_KEY = 'changeme'", "SECRET_KEY = '[SECRET]'"),
        ("config['SECRET_KEY'] = 'secret_key'", "config['SECRET_KEY'] = '[SECRET]'"),
        ('{"accessToken": "letmein"}', '{"accessToken": "[SECRET]"}'),
        ("password = 'x'", "password = '[SECRET]'"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = [SECRET]"),
        ("API 키는 abcd1234efgh5678 입니다", "API 키는 [SECRET] 입니다"),
        ("Authorization: Bearer abc123def456", "Authorization: Bearer [SECRET]"),
        ("'Authorization: Basic dXNlcjpwYXNzd29yZA=='", "'Authorization: Basic [SECRET]'"),
        ("postgres://app:p4ss@db:5432/x", "postgres://app:[SECRET]@db:5432/x"),
        ("redis://:s3cret@localhost", "redis://:[SECRET]@localhost"),
        (f"password: {'a1' * 5_000} end", "password: [SECRET] end"),
    ],
)
def test_secrets_are_known_by_what_is_said_of_them(said: str, stored: str) -> None:
    assert mask(said).text == stored


@pytest.mark.parametrize(
    "text",
    [
        "비밀번호는 어떻게 바꾸나요?",
        "비밀번호를 잊어버렸어요",
        "비밀번호 변경 방법",
        "비밀번호는 8자리 이상",
        "비밀번호: 100자 이내",
        "비밀번호는 영문과숫자 최소100자",
        "비밀번호: 필수 입력",
        "비밀번호는 SHA256으로 저장",
        "비밀번호는 user@example.com으로 발송",
        "비밀번호 5회 오류",
        "비밀번호: ****",
        "비번 reset 방법",
        "암호화폐 12345",
        "암호화: AES256",
        "password is required",
        "password policy 2024 update",
        "password = get_password()",
        "password: ${DB_PASSWORD}",
        "password: <your password>",
        "https://$USER:$PASSWORD@example.com",
        "http://localhost:8080/path, user@example.com",
        "max_tokens: 128000",
        "토큰은 128000개까지",
        "API 키는 2024-11-15에 만료",
        "secret: the recipe",
        "bearer authentication",
        "sk-learn-something-quite-long",
    ],
)
def test_talk_about_secrets_survives(text: str) -> None:
    assert mask(text) == MaskedText(text, ())


@pytest.mark.parametrize(
    "text",
    [
        "ORD-20241115-0001",
        "20241115-1234567",
        "주문번호: 2024111512345678",
        "2024-11-15 12:30:00",
        "2024. 11. 15.",
        "1,500,000원",
        "Python 3.12.1, 10.0.0.1",
        "123e4567-e89b-12d3-a456-426614174000",
        "41111111-1111-1111-1111-111111111111",
        "010-1234-5678",
        "01012345678",
        "+82 10-1234-5678",
        "02-123-4567",
        "kim@example.com",
        "gcb-123 myservice 29392",
        "1700000000000",
        "3.14159265358979",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ],
)
def test_everyday_numbers_survive(text: str) -> None:
    assert mask(text) == MaskedText(text, ())


def test_decomposed_text_is_masked_in_place() -> None:
    said = unicodedata.normalize("NFD", "계좌는 110-123-456789, 비밀번호는 hunter2야")
    stored = unicodedata.normalize("NFD", "계좌는 [ACCOUNT_NUMBER], 비밀번호는 [SECRET]야")
    assert mask(said).text == stored


def test_kinds_name_each_placeholder_that_was_put_in() -> None:
    masked = mask("비번 hunter2, 카드 4111-1111-1111-1111, 비번 hunter3")
    assert masked.kinds == (MaskKind.SECRET, MaskKind.CARD_NUMBER, MaskKind.SECRET)


def test_placeholders_are_not_masked_again() -> None:
    text = "password: [SECRET] 계좌 [ACCOUNT_NUMBER] 비번 [SECRET]야"
    assert mask(text) == MaskedText(text, ())


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("010-1234-5678로 전화", "[PHONE]로 전화"),
        ("01012345678", "[PHONE]"),
        ("０１０－１２３４－５６７８", "[PHONE]"),
        ("+82 10-1234-5678", "[PHONE]"),
        ("+821012345678", "[PHONE]"),
        ("02-123-4567", "[PHONE]"),
        ("031.123.4567", "[PHONE]"),
        ("070-1234-5678", "[PHONE]"),
        ("+1 415 555 1234", "[PHONE]"),
        ("call 415-555-1234.", "call [PHONE]."),
        ("메일은kim.a+b@ex-ample.co.kr로", "메일은[EMAIL]로"),
        ("kim@example.com.", "[EMAIL]."),
    ],
)
def test_contacts_become_placeholders(said: str, stored: str) -> None:
    assert mask_contacts(said).text == stored
    assert mask_contacts(stored) == MaskedText(stored, ())


@pytest.mark.parametrize(
    "text",
    [
        "2024-11-15",
        "1,500,000원",
        "3.12.1",
        "주문 20241115-0001",
        "[NATIONAL_ID]",
        "@kim",
        "123e4567-e89b-12d3-a456-426614174000",
    ],
)
def test_what_is_no_contact_survives(text: str) -> None:
    assert mask_contacts(text) == MaskedText(text, ())


NUMBERS = [
    "900101-1234567",
    "9001011234567",
    "4111-1111-1111-1111",
    "110-123-456789",
    "1234",
    "１２",
]
WORDS = [
    "비밀번호는 ",
    "password:",
    "비번 ",
    "계좌 ",
    "주문번호 ",
    "여권 ",
    "면허 ",
    "신한은행",
    "원",
]
SECRETS = [
    "hunter2",
    JWT,
    "sk-abc1234567890123456",
    PRIVATE_KEY,
    PRIVATE_KEY[:40],
    "bearer ",
    "a@a.",
]
BETWEEN = ["[SECRET]", "010-1234-5678", "://a:", "\u200b", "e\u0301", *'\0[]@ -.:"\n']
SNIPPETS = [*NUMBERS, *WORDS, *SECRETS, *BETWEEN]


@PROPERTY
@given(st.lists(st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=3)), max_size=9).map("".join))
def test_masking_twice_changes_nothing(text: str) -> None:
    for masking in (mask, mask_contacts):
        once = masking(text)
        assert masking(once.text) == MaskedText(once.text, ())


@PROPERTY
@given(
    st.dates(),
    st.integers(1, 8),
    st.from_regex(r"[0-9]{6}", fullmatch=True),
    st.sampled_from(["-", "", " ", " - ", "–"]),
)
def test_every_resident_number_is_masked_whatever_its_last_digits(
    born: date, digit: int, rest: str, separator: str
) -> None:
    century = 1900 if digit in (1, 2, 5, 6) else 2000
    born = born.replace(year=century + born.year % 100, day=min(born.day, 28))
    masked = mask(f"번호는 {born:%y%m%d}{separator}{digit}{rest}입니다")
    assert rest not in masked.text
    assert len(masked.kinds) == 1


@PROPERTY
@given(st.text(st.characters(categories=["L", "P", "Z", "M", "So"])))
def test_text_without_digits_and_latin_letters_is_never_changed(text: str) -> None:
    text = "".join(c for c in text if not (c.isascii() and c.isalpha()) and not "！" <= c <= "～")
    assert mask(text) == MaskedText(text, ())


HOSTILE = [
    "4111 ",
    "900101-",
    "sk-",
    "eyJaaaaaaaa.",
    "password:",
    "password:{",
    "password:*",
    "a;a=",
]
HOSTILE += [
    "api_key=",
    "비번 1234 ",
    "비밀번호는 ",
    "://a:",
    "a@",
    "계좌110-123-456789 ",
    "여권 ",
    "+1",
]
HOSTILE += ["-----BEGIN PRIVATE KEY-----", "[SECRET]", "\u200b", "e\u0301", "1 ", "1-", *'1[" ']


@pytest.mark.alone
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_masked_in_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    for masking in (mask, mask_contacts):
        started = time.process_time()
        masking(text)
        assert time.process_time() - started < 1.0

import pytest

from saegim.chat.rules.intents import tells_something


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("저는 판교에 살아요", True),
        ("Our budget is $10,000.", True),
        ("EC2가 비용의 65%를 차지합니다.", True),
        ("배포가 자꾸 실패해서 짜증나는데, 저는 도커를 써요", True),
        ("예산이 얼마였지?", False),
        ("이제 그만 잊어줘", False),
        ("고마워요", False),
        ("12 더하기 30은 얼마야", False),
    ],
)
def test_only_what_tells_something_is_quoted(sentence: str, *, tells: bool) -> None:
    assert tells_something(sentence) is tells

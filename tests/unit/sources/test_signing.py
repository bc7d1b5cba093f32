"""AWS's own examples of Signature Version 4, from its documentation of S3."""

from datetime import UTC, datetime

import pytest

from saegim.sources.signing import SigningCredentials, path_of, query_string, sign

WHO = SigningCredentials(
    "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1"
)
AT = datetime(2013, 5, 24, tzinfo=UTC)
HOST = "examplebucket.s3.amazonaws.com"


@pytest.mark.parametrize(
    ("query", "signature"),
    [
        ({"lifecycle": ""}, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        (
            {"prefix": "J", "max-keys": "2"},
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
    ],
)
def test_the_published_examples_come_out(query: dict[str, str], signature: str) -> None:
    headers = sign(WHO, HOST, "/", query, AT)
    assert headers["Authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        f"SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature={signature}"
    )
    assert headers["x-amz-date"] == "20130524T000000Z"


def test_names_are_spelled_in_one_way() -> None:
    assert query_string({"b": "a b/c", "a": "한"}) == "a=%ED%95%9C&b=a%20b%2Fc"
    assert path_of("/bucket/요금 표+1.md") == "/bucket/%EC%9A%94%EA%B8%88%20%ED%91%9C%2B1.md"

from ipaddress import ip_address

import pytest

from saegim.net.errors import FetchFailed
from saegim.net.guard import is_public, networks
from saegim.sources.web import check_address

pytestmark = pytest.mark.requirement("LB10")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1",
        "::", "::1", "fe80::1", "fc00::1", "fec0::1", "feff::1", "fd00:ec2::254", "ff02::1",
        "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a00:1",
        "2002:7f00:1::", "2002:a9fe:a9fe::",
    ],
)  # fmt: skip
def test_an_address_of_our_own_network_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"]
)
def test_an_address_of_the_internet_is(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "ftp://site.test/", "//site.test/x", "site.test", "http://",
        "https://user:pass@site.test/", "http://site.test:0/", "http://[::1", "gopher://x/",
        "http://site.test:99999/",
    ],
)  # fmt: skip
def test_only_plain_web_addresses_are_asked(url: str) -> None:
    with pytest.raises(FetchFailed, match="wrong_address"):
        check_address(url)


def test_networks_are_named_exactly() -> None:
    assert networks(["10.0.0.0/8"]) == networks(("10.0.0.0/8",))
    with pytest.raises(ValueError, match="host bits"):
        networks(["10.0.0.1/8"])

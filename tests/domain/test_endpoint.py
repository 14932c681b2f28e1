"""Endpoints: the format, its refusals and its way to decode."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.domain.endpoint import ENDPOINT_PREFIX, EndpointError, PeerEndpoint

_PIDS = st.integers(min_value=0, max_value=2**32 - 1)
_ANY_TEXT = st.text(min_size=1)
_ESCAPE_LIKE = st.text(alphabet="%:4cC3a9eé2Ff名 g", min_size=1)
_HEX = b"0123456789abcdefABCDEF"


def seed_decode(field: str) -> str:
    """Decode a field as the scheme's first reader does, byte by byte."""
    data, decoded, at = field.encode(), bytearray(), 0
    while at < len(data):
        byte, pair = data[at : at + 1], data[at + 1 : at + 3]
        at += 1
        if byte == b"%" and pair[:1] and pair[:1] in _HEX:
            if pair[1:] and pair[1:] in _HEX:
                decoded.append(int(pair, 16))
                at += 2
                continue
            decoded += b"%" + pair[:1].lower()
            at += 1
            continue
        decoded += byte
    return decoded.decode("utf-8", "replace")


def test_endpoint_round_trips_names_and_socket_paths_containing_separators() -> None:
    endpoint = PeerEndpoint.make(4242, "weird:name%with", "/tmp/cc-socks/4242.sock")
    assert str(endpoint) == "cc-peer:v1:4242:weird%3Aname%25with:/tmp/cc-socks/4242.sock"
    parsed = PeerEndpoint.parse(endpoint.text)
    assert parsed.pid == 4242
    assert parsed.name == "weird:name%with"
    assert parsed.socket_path == "/tmp/cc-socks/4242.sock"
    assert parsed == endpoint


@pytest.mark.parametrize(
    "value",
    [
        "supercode-live://0123",
        "cc-peer:v1:",
        "cc-peer:v1:notapid:name:/tmp/a.sock",
        "cc-peer:v1:12:name",
        "cc-peer:v2:12:name:/tmp/a.sock",
        "cc-peer:v1::name:/tmp/a.sock",
        "cc-peer:v1:12::/tmp/a.sock",
        "cc-peer:v1:12:name:",
        "cc-peer:v1:-12:name:/tmp/a.sock",
        "cc-peer:v1:+12:name:/tmp/a.sock",
        "cc-peer:v1: 12:name:/tmp/a.sock",
        "cc-peer:v1:12\n:name:/tmp/a.sock",
        "cc-peer:v1:1_2:name:/tmp/a.sock",
        "cc-peer:v1:١٢:name:/tmp/a.sock",
        " cc-peer:v1:12:name:/tmp/a.sock",
        "",
    ],
)
def test_endpoint_rejects_foreign_and_truncated_values(value: str) -> None:
    with pytest.raises(EndpointError):
        PeerEndpoint.parse(value)


@pytest.mark.parametrize(
    ("pid", "number"), [("0", 0), ("4294967295", 2**32 - 1), ("0012", 12), ("0" * 10_000 + "7", 7)]
)
def test_a_pid_is_any_number_of_32_bits_however_many_zeros_stand_in_front(pid: str, number: int) -> None:
    assert PeerEndpoint.parse(f"{ENDPOINT_PREFIX}{pid}:n:/s").pid == number


@pytest.mark.parametrize("pid", ["4294967296", "99999999999", "9" * 10_000])
def test_a_pid_of_more_than_32_bits_is_rejected(pid: str) -> None:
    with pytest.raises(EndpointError):
        PeerEndpoint.parse(f"{ENDPOINT_PREFIX}{pid}:n:/s")


@given(_PIDS, _ANY_TEXT | _ESCAPE_LIKE, _ANY_TEXT | _ESCAPE_LIKE)
def test_what_is_made_is_parsed_back_for_any_name_and_path(pid: int, name: str, path: str) -> None:
    parsed = PeerEndpoint.parse(PeerEndpoint.make(pid, name, path).text)
    assert (parsed.pid, parsed.name, parsed.socket_path) == (pid, name, path)


def test_a_name_that_is_no_valid_unicode_is_parsed_back_too() -> None:
    name = "a\ud800%b\udcff"
    assert PeerEndpoint.parse(PeerEndpoint.make(1, name, "/s").text).name == name


@given(_ESCAPE_LIKE | st.text(alphabet="%0aAfFx", min_size=1))
def test_fields_are_decoded_as_the_seed_decodes_them(field: str) -> None:
    assert PeerEndpoint(f"{ENDPOINT_PREFIX}1:n:{field}").socket_path == seed_decode(field)


@given(st.text() | st.text(alphabet="cpeer-v1:%/09").map(ENDPOINT_PREFIX.__add__))
def test_any_text_is_an_endpoint_or_an_endpoint_error(text: str) -> None:
    with suppress(EndpointError):
        endpoint = PeerEndpoint.parse(text)
        assert endpoint.text == text
        assert endpoint.name
        assert endpoint.socket_path
        assert 0 <= endpoint.pid < 2**32

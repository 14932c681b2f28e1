from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.building import record_fields
from tui.domain.records import RECORD_BYTES, RECORD_NAME, FaultReason, RegistryFault, RegistryRecord, parse_record

RECORDED = sorted((Path(__file__).parent.parent / "recorded" / "registry").glob("*.json"))


def parsed(**changes: object) -> RegistryRecord:
    record = parse_record("41001.json", json.dumps(record_fields(41001, **changes)).encode())
    assert isinstance(record, RegistryRecord), record
    return record


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def fault_of(data: bytes, file: str = "41001.json") -> FaultReason:
    fault = parse_record(file, data)
    assert isinstance(fault, RegistryFault)
    return fault.reason


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_every_record_of_the_real_program_is_read_with_all_its_fields(path: Path) -> None:
    body = json.loads(path.read_text())
    record = parse_record(path.name, path.read_bytes())
    assert isinstance(record, RegistryRecord)
    named = {camel(key): value for key, value in asdict(record).items() if key != "others"}
    found = {key: value for key, value in (named | dict(record.others)).items() if value is not None}
    assert found == {key: value for key, value in body.items() if value is not None}


def test_an_unknown_key_is_kept_aside_and_an_unknown_status_keeps_its_word() -> None:
    record = parsed(status="compacting", futureKey={"a": 1})
    assert record.status == "compacting"
    assert record.others["futureKey"] == {"a": 1}


@pytest.mark.parametrize(
    "lost",
    [
        {"name": 17},
        {"cwd": []},
        {"version": ["2"]},
        {"status": {}},
        {"procStart": 1_790_000_000_000},
        {"startedAt": "yesterday"},
        {"startedAt": float("nan")},
        {"startedAt": -1e15},
        {"startedAt": 10**18},
        {"statusUpdatedAt": 1e300},
        {"spare": "yes"},
        {"peerProtocol": "http"},
    ],
    ids=str,
)
def test_a_wrong_type_in_an_optional_field_loses_that_field_and_not_the_record(lost: dict[str, object]) -> None:
    record = parsed(**lost)
    (key,) = lost
    assert record.pid == 41001
    if key != "peerProtocol":
        assert {camel(name): value for name, value in asdict(record).items()}[key] is None


def test_a_text_that_was_cut_in_the_middle_of_an_emoji_is_kept() -> None:
    assert parsed(name="cut \ud83d").name == "cut \ud83d"


def test_a_record_with_only_the_four_oldest_keys_is_read() -> None:
    body = {"pid": 7, "sessionId": "s", "cwd": "/x", "startedAt": 1}
    record = parse_record("7.json", json.dumps(body).encode())
    assert isinstance(record, RegistryRecord)
    assert (record.cwd, record.started_at, record.name) == ("/x", 1, None)


@pytest.mark.parametrize("pid", [0, -1, -4242, True, 1.5, "41001", 2_147_483_648, 1e30, None, [1]], ids=str)
def test_a_pid_that_is_no_process_id_is_a_named_fault(pid: object) -> None:
    body = record_fields(41001) | {"pid": pid}
    assert fault_of(json.dumps(body).encode()) is FaultReason.BAD_PID


def test_a_pid_that_is_not_the_files_name_is_a_named_fault() -> None:
    assert fault_of(json.dumps(record_fields(41002)).encode()) is FaultReason.PID_MISMATCH


@pytest.mark.parametrize("session", ["", None, 5])
def test_a_record_that_names_no_session_is_a_named_fault(session: object) -> None:
    assert fault_of(json.dumps(record_fields(41001) | {"sessionId": session}).encode()) is FaultReason.NO_SESSION


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b'{"pid":4100',
        b'{"pid":' + b"9" * 5000 + b"}",
        b"[" * 200_000,
        b"\xff\xfe",
        json.dumps(record_fields(41001)).encode("utf-16"),
        json.dumps(record_fields(41001)).encode() + b'"}',
    ],
    ids=["empty", "torn", "huge number", "deep", "binary", "utf-16", "leftovers"],
)
def test_what_is_no_json_document_is_a_named_fault_whichever_error_the_parser_raises(data: bytes) -> None:
    assert fault_of(data) is FaultReason.NOT_JSON


@pytest.mark.parametrize("data", [b"null", b"[]", b'"x"', b"41"])
def test_json_that_is_no_object_is_a_named_fault(data: bytes) -> None:
    assert fault_of(data) is FaultReason.NOT_AN_OBJECT


def test_a_record_larger_than_the_programs_own_cap_is_a_named_fault() -> None:
    assert fault_of(b" " * (RECORD_BYTES + 1)) is FaultReason.TOO_LARGE


def test_a_byte_order_mark_before_a_record_is_passed_over() -> None:
    data = b"\xef\xbb\xbf" + json.dumps(record_fields(41001)).encode()
    assert isinstance(parse_record("41001.json", data), RegistryRecord)


@given(st.binary(max_size=2000))
def test_any_bytes_are_a_record_or_a_named_fault(data: bytes) -> None:
    assert isinstance(parse_record("41001.json", data), RegistryRecord | RegistryFault)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(record_fields(1))), json_values))
def test_any_values_in_a_records_keys_are_a_record_or_a_named_fault(changes: dict[str, object]) -> None:
    data = json.dumps(record_fields(41001) | changes).encode()
    assert isinstance(parse_record("41001.json", data), RegistryRecord | RegistryFault)


@pytest.mark.parametrize(
    "name",
    [
        "pid-77.json",
        "0041001.json",
        "0.json",
        "-1.json",
        "41001.json.tmp.9",
        "41001 (conflicted copy).json",
        "41001.sync-conflict-20260901.json",
        "._41001.json",
        f"41001.{'a' * 64}.key",
        "٤١.json",
        "41001.json\n",
        "settings.json",
    ],
)
def test_only_digits_dot_json_without_a_leading_zero_names_a_record(name: str) -> None:
    assert RECORD_NAME.fullmatch(name) is None
    assert RECORD_NAME.fullmatch("41001.json")

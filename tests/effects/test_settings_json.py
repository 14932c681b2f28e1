"""What the settings may hold, and what of it survives an update."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.effects.settings_room import ACCEPT, HOLD, SettingsRoom, report_of, updating
from tests.json_texts import DOTFILE, KEYS, VALUES, documents, spelled
from tui.domain.inbound import SETTING, InboundPolicy, SettingsError, SettingsTrouble


def test_every_byte_outside_the_one_value_stays(room: SettingsRoom) -> None:
    room.write(DOTFILE)
    room.update(ACCEPT)
    assert room.text() == DOTFILE.replace('"hold"', '"accept"')
    room.update(None)
    assert room.text() == DOTFILE.replace('\t"crossSessionInbound": "hold",\n', "")


def test_a_number_of_thousands_of_digits_stays(room: SettingsRoom) -> None:
    room.write(f'{{"n":{"7" * 5000}}}')
    room.update(ACCEPT)
    assert room.text() == f'{{"n":{"7" * 5000},"crossSessionInbound":"accept"}}'


def test_a_byte_order_mark_and_carriage_returns_stay(room: SettingsRoom) -> None:
    text = '\ufeff{\r\n  "env": {"X":"é—漢"}\r\n}\r\n'
    room.write(text)
    room.update(HOLD)
    assert room.text() == '\ufeff{\r\n  "env": {"X":"é—漢"},\r\n  "crossSessionInbound": "hold"\r\n}\r\n'
    room.update(None)
    assert room.text() == text


def test_the_locale_has_no_say_in_the_encoding(room: SettingsRoom) -> None:
    folder = room.folder / "é漢"
    folder.mkdir()
    text = '\ufeff{\r\n"env":{"X":"é—漢"}}'
    (folder / "settings.json").write_bytes(text.encode())
    ascii_only = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    report = report_of(updating(folder, HOLD), ascii_only)
    assert report["policy"] == "hold"
    assert (folder / "settings.json").read_bytes() == (text[:-1] + ',\r\n"crossSessionInbound":"hold"}').encode()


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'{ // note\n "a":1 }', "line 1 column 3"),
        (b'{\n "a":1,\n}', "line 3 column 1"),
        (b"{'a':1}", "line 1 column 2"),
        (b'{"a":1', "line 1 column 7"),
        (b" \n\t", "line 2 column 2"),
        (b'{"a":NaN}', "line 1 column 6"),
        (b'{"a":\n"\xc3\xa9\xff"}', "line 2 column 3"),
        ("{}".encode("utf-16"), "line 1 column 1"),
        (b"[" * 200_000, "line 1 column 1"),
        (b"\x00" * 100, "line 1 column 1"),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_position_and_left_alone(
    room: SettingsRoom, content: bytes, place: str
) -> None:
    room.write(content)
    with pytest.raises(SettingsError) as caught:
        room.settings.read()
    error = room.refusal()
    assert error.trouble is caught.value.trouble is SettingsTrouble.JSON
    assert error.message.startswith("Claude Code settings JSON is invalid: ")
    assert f"at {place} of {room.file}" in error.message
    assert "without comments" in error.hint
    assert room.file.read_bytes() == content
    assert room.names() == ["settings.json"]


@pytest.mark.parametrize("text", ["null", "[]", "3", '"accept"', "true"])
def test_settings_that_are_no_object_are_refused_and_left_alone(room: SettingsRoom, text: str) -> None:
    room.write(text)
    with pytest.raises(SettingsError, match=r"settings\.json must be a JSON object"):
        room.settings.read()
    error = room.refusal()
    assert error.trouble is SettingsTrouble.INVALID
    assert error.message == f"Claude Code settings at {room.file} must be a JSON object"
    assert room.text() == text


@pytest.mark.parametrize(
    "value", ["true", "null", '["accept"]', '"Accept"', '"accept "', '" accept"', '"ask"', "1e400", '""']
)
def test_a_value_that_is_no_policy_is_shown_as_it_is_and_never_taken_for_one(room: SettingsRoom, value: str) -> None:
    room.write(f'{{"crossSessionInbound": {value}}}')
    with pytest.raises(SettingsError) as caught:
        room.settings.read()
    assert caught.value.trouble is SettingsTrouble.INVALID
    assert caught.value.message == (
        f"Claude Code setting `crossSessionInbound` at {room.file} must be `accept`, `hold`, or `refuse`, not {value}"
    )


def test_a_value_that_is_no_policy_can_be_replaced_and_removed(room: SettingsRoom) -> None:
    room.write('{"crossSessionInbound": [1, "accept"], "a": 1}')
    assert room.update(HOLD).policy is HOLD
    assert room.text() == '{"crossSessionInbound": "hold", "a": 1}'
    room.write('{"crossSessionInbound": "ask", "a": 1}')
    assert room.update(None).policy is None
    assert room.text() == '{"a": 1}'


def test_a_foreign_value_is_quoted_on_one_short_line(room: SettingsRoom) -> None:
    room.write('{"crossSessionInbound": ["%s",\n\t"\\u001b\u202e\u009b31m"]}' % ("x" * 500))
    with pytest.raises(SettingsError) as caught:
        room.settings.read()
    assert len(caught.value.message) < len(str(room.file)) + 200
    assert caught.value.message.isprintable()


def test_of_equal_keys_the_last_one_counts(room: SettingsRoom) -> None:
    room.write('{"crossSessionInbound":"accept","crossSessionInbound":"hold"}')
    assert room.settings.read().policy is HOLD
    assert room.update(None).policy is None
    assert room.text() == "{}"


def _broken(document: str) -> bytes:
    return document.encode()[:-3] + b"\xff,"


@settings(max_examples=80, deadline=None)
@given(
    st.binary(max_size=40)
    | (documents(KEYS | spelled(SETTING)) | VALUES).map(str.encode)
    | documents().map(_broken)
    | documents().map(lambda text: text.encode("utf-16")),
    st.sampled_from([*InboundPolicy, None]),
)
@example(b'{"crossSessionInbound":"\\ud83d"}', None)
def test_whatever_the_bytes_an_update_lands_whole_or_is_refused_in_words(
    content: bytes, policy: InboundPolicy | None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        room = SettingsRoom(Path(folder))
        room.write(content)
        error = _trouble_with(room, policy)
        if error is None:
            assert room.settings.read().policy is policy
        else:
            assert error.trouble in {SettingsTrouble.JSON, SettingsTrouble.INVALID}
            assert room.file.read_bytes() == content
        assert room.names() == ["settings.json"]


def _trouble_with(room: SettingsRoom, policy: InboundPolicy | None) -> SettingsError | None:
    with suppress(SettingsError):
        room.settings.read()
    try:
        room.update(policy)
    except SettingsError as error:
        return error
    return None

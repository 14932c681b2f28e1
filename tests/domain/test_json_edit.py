"""One member of a JSON text changes; every other byte stays."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.json_texts import DOTFILE, KEYS, VALUES, documents, spelled
from tui.domain.json_edit import NotAnObjectError, parse_object
from tui.domain.json_scan import JsonSyntaxError

KEY = "crossSessionInbound"
WORDS = st.sampled_from(["accept", "hold", "refuse"])


def value_in(text: str) -> str | None:
    member = parse_object(text).member(KEY)
    return member.value if member else None


def refused(word: str) -> NoReturn:
    raise ValueError(word)


def stdlib_reading(text: str) -> Any:
    return json.loads(text.removeprefix("\ufeff"), parse_int=str, parse_float=str, parse_constant=refused)


def test_changing_the_value_changes_no_other_byte() -> None:
    changed = parse_object(DOTFILE).with_member(KEY, "accept")
    assert changed == DOTFILE.replace('"hold"', '"accept"')


def test_removing_the_member_takes_its_line_and_nothing_else() -> None:
    assert parse_object(DOTFILE).without(KEY) == DOTFILE.replace('\t"crossSessionInbound": "hold",\n', "")


def test_setting_the_value_that_is_there_gives_the_same_text() -> None:
    assert parse_object(DOTFILE).with_member(KEY, "hold") == DOTFILE
    spelled_otherwise = r'{"crossSession\u0049nbound":"\u0068old"}'
    assert parse_object(spelled_otherwise).with_member(KEY, "hold") == spelled_otherwise


def test_removing_what_is_not_there_gives_the_same_text() -> None:
    assert parse_object('{ "a": 1 }').without(KEY) == '{ "a": 1 }'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{"crossSessionInbound": "hold"}'),
        ("{ }", '{ "crossSessionInbound": "hold" }'),
        ("{\n}\n", '{\n  "crossSessionInbound": "hold"\n}\n'),
        ("{\r\n\r\n}\r\n", '{\r\n  "crossSessionInbound": "hold"\r\n\r\n}\r\n'),
        ("{\r}", '{\r  "crossSessionInbound": "hold"\r}'),
        ('{"a":1}', '{"a":1,"crossSessionInbound":"hold"}'),
        ('{"a": 1}', '{"a": 1, "crossSessionInbound": "hold"}'),
        ('{ "a" : 1 }', '{ "a" : 1, "crossSessionInbound" : "hold" }'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"crossSessionInbound": "hold"\n}'),
        ('{\n\n    "a": 1\n}\n', '{\n\n    "a": 1,\n    "crossSessionInbound": "hold"\n}\n'),
        ('{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "crossSessionInbound": "hold"\r\n}'),
        ('\ufeff{"a":1}\n', '\ufeff{"a":1,"crossSessionInbound":"hold"}\n'),
        ('{ "a": 1\n, "b": 2\n}', '{ "a": 1\n, "b": 2\n, "crossSessionInbound": "hold"\n}'),
        ('{"a":[],\n "b":2, "c":{}}', '{"a":[],\n "b":2, "c":{}, "crossSessionInbound":"hold"}'),
    ],
)
def test_a_new_member_comes_last_and_looks_like_its_neighbour(before: str, after: str) -> None:
    assert parse_object(before).with_member(KEY, "hold") == after
    assert parse_object(after).without(KEY) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"crossSessionInbound":"hold","a":1}', '{"a":1}'),
        ('{"a":1,\n"crossSessionInbound":"hold",\n"b":2}', '{"a":1,\n"b":2}'),
        ('{"a":1 , "crossSessionInbound":"hold" }', '{"a":1 }'),
        ('{"crossSessionInbound":1,"a":2,"crossSession\\u0049nbound":3}', '{"a":2}'),
        ('{\n"crossSessionInbound":1,\n"crossSessionInbound":2\n}', "{\n}"),
        ('{"a":{"crossSessionInbound":"hold"}}', '{"a":{"crossSessionInbound":"hold"}}'),
    ],
)
def test_removing_takes_each_top_level_member_of_that_name(before: str, after: str) -> None:
    assert parse_object(before).without(KEY) == after


def test_of_equal_keys_the_last_counts_and_is_the_one_changed() -> None:
    document = parse_object('{"crossSessionInbound": "accept", "a": 1, "crossSessionInbound": "hold"}')
    assert document.with_member(KEY, "hold") == document.text
    changed = document.with_member(KEY, "refuse")
    assert changed == '{"crossSessionInbound": "accept", "a": 1, "crossSessionInbound": "refuse"}'


def test_a_value_of_another_type_is_replaced_as_a_whole() -> None:
    document = parse_object('{"crossSessionInbound" : ["accept", {"a": "}"}] , "b":1}')
    member = document.member(KEY)
    assert member is not None
    assert member.value is None
    assert document.spelling(member) == '["accept", {"a": "}"}]'
    assert document.with_member(KEY, "hold") == '{"crossSessionInbound" : "hold" , "b":1}'


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("  \n ", 2, 2),
        ('{ // note\n "a":1 }', 1, 3),
        ('{"a":1,}', 1, 8),
        ('{"a":[1 2]}', 1, 9),
        ("{'a':1}", 1, 2),
        ('{\n  "a": 1\n  "b": 2}', 3, 3),
        ('{"a" 1}', 1, 6),
        ('{"a":01}', 1, 7),
        ('{"a":1} x', 1, 9),
        ('{"a":1}{}', 1, 8),
        ("[] x", 1, 4),
        ('{"a":"tab\t"}', 1, 10),
        ('{"a":"\\x"}', 1, 7),
        ('{"a":1', 1, 7),
        ('{"a":"cut', 1, 6),
        ("{", 1, 2),
        ('\ufeff{"a":,}', 1, 6),
        ("\ufeff\ufeff{}", 1, 1),
        ('{"a":\n["NaN \\" NaN", -Infinity]}', 2, 16),
        ('{"NaN": NaN}', 1, 9),
        ("Infinity", 1, 1),
    ],
)
def test_text_that_is_not_strict_json_is_refused_with_its_position(text: str, line: int, column: int) -> None:
    with pytest.raises(JsonSyntaxError) as caught:
        parse_object(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert f"at line {line} column {column}" in str(caught.value)


@pytest.mark.parametrize("text", ["null", "[]", "3", '"{}"', " true ", "\ufeff1e400", "9" * 5000])
def test_sound_json_of_another_kind_is_told_apart_from_broken_json(text: str) -> None:
    with pytest.raises(NotAnObjectError):
        parse_object(text)


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, f'{{"a":{"[" * 100_000}{"]" * 100_000}}}'])
def test_nesting_beyond_the_parser_is_a_syntax_error_of_its_own(text: str) -> None:
    with pytest.raises(JsonSyntaxError, match="Nested too deeply"):
        parse_object(text)


def test_a_number_of_any_length_stays_as_it_is() -> None:
    text = f'{{"big":{"9" * 5000},"crossSessionInbound":"hold","huge":1e400}}'
    assert parse_object(text).with_member(KEY, "refuse") == text.replace("hold", "refuse")


@settings(max_examples=150, deadline=None)
@given(documents(KEYS | spelled(KEY)), WORDS)
@example("{}", "hold")
@example("\ufeff{\r}", "hold")
def test_after_an_update_the_key_has_the_value_and_every_other_member_its_old_spelling(text: str, word: str) -> None:
    before = parse_object(text)
    after = parse_object(before.with_member(KEY, word))
    assert stdlib_reading(after.text) == stdlib_reading(text) | {KEY: word}
    old, new = ([(m.key, d.spelling(m)) for m in d.members if m.key != KEY] for d in (before, after))
    assert new == old


@settings(max_examples=150, deadline=None)
@given(documents(KEYS | spelled(KEY)), WORDS)
def test_an_update_touches_one_stretch_of_the_text_only(text: str, word: str) -> None:
    document = parse_object(text)
    changed = document.with_member(KEY, word)
    member = document.member(KEY)
    head, tail = (text[: member.value_start], text[member.end :]) if member else _around_the_end(text)
    assert changed.startswith(head)
    assert changed.endswith(tail)


def _around_the_end(text: str) -> tuple[str, str]:
    document = parse_object(text)
    end = document.members[-1].end if document.members else document.opened
    return text[:end], text[end:]


@settings(max_examples=200, deadline=None)
@given(documents(), WORDS, WORDS)
@example("{}", "hold", "hold")
@example("{\n}", "hold", "accept")
@example("{\r \n\t}", "hold", "accept")
@example('{"a":1\n\n\r}', "hold", "hold")
def test_setting_and_then_removing_an_absent_key_restores_every_byte(text: str, first: str, second: str) -> None:
    set_once = parse_object(text).with_member(KEY, first)
    set_twice = parse_object(set_once).with_member(KEY, second)
    assert parse_object(set_twice).without(KEY) == text


@settings(max_examples=150, deadline=None)
@given(documents(KEYS | spelled(KEY)))
def test_removing_leaves_the_other_members_in_order_and_sound_json(text: str) -> None:
    document = parse_object(text)
    after = parse_object(document.without(KEY))
    kept = [(member.key, document.spelling(member)) for member in document.members if member.key != KEY]
    assert [(member.key, after.spelling(member)) for member in after.members] == kept


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A sound text with one stretch replaced, which may leave it sound."""
    text = draw(documents() | VALUES)
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(start + 3, len(text))))
    return text[:start] + draw(st.text('{}[]:,"\\0-+.eEuNnIitrue \n\x00\u00a0/', max_size=3)) + text[end:]


@settings(max_examples=300, deadline=None)
@given(damaged() | st.text('{}[]:,"\\01-.e \n', max_size=12))
@example('{"a":1.}')
@example('{"a":-}')
def test_a_text_is_accepted_just_when_the_standard_parser_accepts_it_as_an_object(text: str) -> None:
    try:
        expected: type = dict if isinstance(stdlib_reading(text), dict) else NotAnObjectError
    except ValueError:
        expected = JsonSyntaxError
    try:
        judged: type = dict if parse_object(text) else NotAnObjectError
    except (JsonSyntaxError, NotAnObjectError) as error:
        judged = type(error)
    assert judged is expected

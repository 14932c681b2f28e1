from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.domain.text import STAND_IN, capped, cell_width, one_line, tail_capped, visible


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\x1b]0;owned\x07b", "a␛]0;owned␇b"),
        ("\x1b[31mred", "␛[31mred"),
        ("\x9b31mred", f"{STAND_IN}31mred"),
        ("a\nb", "a␊b"),
        ("a\tb", "a␉b"),
        ("\u202eabc", f"{STAND_IN}abc"),
        ("\u200b", STAND_IN),
        ("\x7f", "␡"),
        ("\u2028", STAND_IN),
        ("\ud83d", STAND_IN),
        ("", ""),
        ("naïve 漢字 🎉 [b]", "naïve 漢字 🎉 [b]"),
    ],
)
def test_controls_and_bidi_marks_are_replaced_by_visible_stand_ins(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_a_long_name_is_cut_at_its_end_and_a_directory_at_its_beginning() -> None:
    assert capped("abcdefgh", 5) == "abcd…"
    assert tail_capped("/home/u/work/proj", 10) == "…work/proj"
    assert capped("漢字漢字", 5) == "漢字…"
    assert capped("short", 5) == "short"


@given(st.text(), st.integers(min_value=0, max_value=60))
def test_any_text_is_shown_on_one_line_within_its_width_without_control_characters(text: str, width: int) -> None:
    shown = one_line(text, width)

    assert cell_width(shown) <= width
    assert not any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for character in shown)
    assert shown.splitlines() in ([], [shown])


@given(st.text())
def test_the_width_that_is_counted_is_never_smaller_than_the_one_that_is_drawn(text: str) -> None:
    assert cell_width(visible(text)) >= cell_len(visible(text))


@given(st.text(alphabet="a\u0301\u0302", min_size=1000, max_size=1000))
def test_combining_marks_without_end_are_cut_too(text: str) -> None:
    assert len(one_line(text, 10)) <= 41

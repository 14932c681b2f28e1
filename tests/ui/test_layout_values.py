from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.widgets.age_dues import AgeDues
from tui.widgets.peer_columns import PADDING, columns_for


@given(st.integers(24, 400))
def test_the_columns_fill_any_width_and_status_and_name_are_always_there(width: int) -> None:
    columns = columns_for(width)
    assert sum(column.width + PADDING for column in columns) == width
    assert {"badge", "name"} <= {column.key for column in columns}
    assert min(column.width for column in columns) >= 4


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.integers(0, 50)), max_size=20), st.integers(0, 50))
def test_what_is_due_is_taken_once_in_its_order_and_the_last_word_on_a_key_counts(
    settings: list[tuple[str, int | None]], now: int
) -> None:
    dues, wanted = AgeDues(), dict[str, int | None]()
    for key, due in settings:
        dues.set(key, due)
        wanted[key] = due
    kept = {key: due for key, due in wanted.items() if due is not None}
    assert dues.next() == min(kept.values(), default=None)
    taken = dues.take(now)
    assert sorted(taken) == sorted(key for key, due in kept.items() if due <= now)
    assert [kept[key] for key in taken] == sorted(kept[key] for key in taken)
    assert dues.take(now) == []

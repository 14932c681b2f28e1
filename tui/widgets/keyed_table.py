"""A table whose rows are changed by key, whose cursor stays with its row, and whose view stays where it is."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Self

from rich.text import Text
from textual.coordinate import Coordinate
from textual.geometry import Region, Size, Spacing
from textual.widgets import DataTable
from textual.widgets.data_table import ColumnKey

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from rich.style import Style

    from tui.widgets.peer_columns import Column

_FEW: Final = 40
"""Up to so many rows are removed one by one, each of which costs a walk over all rows."""


class Cell(Text):
    """Text that knows the key of its row, since `DataTable.sort` shows its key function the cells only."""

    def __init__(self, key: str, text: str, style: str | Style = "") -> None:
        super().__init__(text, style, no_wrap=True, end="")
        self.key = key


Row = tuple[Cell, ...]


class KeyedTable(DataTable[Cell]):
    """Keeps `DataTable` in step with rows by key; all rows are one line high.

    DataTable keeps its cursor on a row's number. Here it is put back by key after each change, without the messages
    and the scrolling of a move that nobody made.
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        self._paints_rows = False
        super().__init__(id=id, cursor_type="row")
        self._last_key: str | None = None
        """Where the cursor was before the table was empty: rows that come back find it there."""

    @property
    def keys(self) -> list[str]:
        """All keys, from the top."""
        return [row.key.value or "" for row in self.ordered_rows]

    @property
    def cursor_key(self) -> str | None:
        """The key under the cursor; None in an empty table."""
        if not self.is_valid_row_index(self.cursor_row):
            return None
        return self.ordered_rows[self.cursor_row].key.value

    def lay_out(self, columns: Sequence[Column], rows: Mapping[str, Row]) -> None:
        """Begin again with these columns and rows."""
        key, line = self.cursor_key, self.scroll_offset.y
        with self.app.batch_update(), self.prevent(DataTable.RowHighlighted):
            self.clear(columns=True)
            for column in columns:
                self.add_column(Text(column.label), width=column.width, key=column.key)
            self._add(rows)
            self._put_cursor(key)
        self.call_after_refresh(self.scroll_to, y=line, animate=False)

    def resize_columns(self, columns: Sequence[Column]) -> None:
        """Give the columns that are there other widths; their cells are changed by the caller."""
        for column in columns:
            self.columns[ColumnKey(column.key)].width = column.width
        width = sum(column.get_render_width(self) for column in self.columns.values())
        self.virtual_size = Size(width, self.virtual_size.height)

    def change(self, gone: Collection[str], rows: Mapping[str, Row], order: Sequence[str] | None) -> None:
        """Remove rows, put others, and bring all into `order` if it is not theirs already."""
        new = {key: row for key, row in rows.items() if key not in self.rows}
        self._update({key: row for key, row in rows.items() if key in self.rows and key not in gone})
        if gone or new:
            self._exchange(gone, new, order)
        elif order is not None:
            self._reorder(order)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint again; nothing for now while `_row_by_row` is in force."""
        if self._paints_rows and not regions and not layout:
            return self
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @contextmanager
    def _row_by_row(self) -> Iterator[None]:
        """Leave the painting to `refresh_row`: DataTable would draw every row of the table anew at each change."""
        self._paints_rows = True
        try:
            yield
        finally:
            self._paints_rows = False

    def _exchange(self, gone: Collection[str], new: Mapping[str, Row], order: Sequence[str] | None) -> None:
        at = self.cursor_key or self._last_key
        before = self.keys if at in gone else []
        with self._cursor_kept_in_view(at), self.app.batch_update(), self.prevent(DataTable.RowHighlighted):
            self.set_reactive(DataTable.cursor_coordinate, Coordinate(0, 0))
            self._remove(gone)
            self._add(new)
            if order is not None:
                self._sort(order)
            self._put_cursor(_survivor(before, at, self.rows))
        self._last_key = self.cursor_key or at

    def _reorder(self, order: Sequence[str]) -> None:
        before, at = self.keys, self.cursor_key
        if before == order:
            return
        with self._cursor_kept_in_view(at), self._row_by_row():
            self._sort(order)
            self._put_cursor(at)
        for number, (old, now) in enumerate(zip(before, self.keys, strict=True)):
            if old != now:
                self.refresh_row(number)

    @contextmanager
    def _cursor_kept_in_view(self, key: str | None) -> Iterator[None]:
        in_view = self._cursor_is_in_view()
        yield
        if in_view and key is not None:
            self.call_after_refresh(self._bring_cursor_into_view)

    def _sort(self, order: Sequence[str]) -> None:
        place = {key: number for number, key in enumerate(order)}
        self.sort(self.ordered_columns[0].key, key=lambda cell: place[cell.key])

    def _remove(self, gone: Collection[str]) -> None:
        if len(gone) <= _FEW:
            for key in gone:
                self.remove_row(key)
            return
        kept = {key: tuple(self.get_row(key)) for key in self.keys if key not in gone}
        self.clear()
        self._add(kept)

    def _add(self, rows: Mapping[str, Row]) -> None:
        for key, row in rows.items():
            self.add_row(*row, key=key)

    def _update(self, rows: Mapping[str, Row]) -> None:
        columns = [column.key for column in self.ordered_columns]
        touched = set()
        with self._row_by_row():
            for key, row in rows.items():
                for column, old, new in zip(columns, self.get_row(key), row, strict=True):
                    if old is not new and (old.plain != new.plain or old.style != new.style or old.spans != new.spans):
                        self.update_cell(key, column, new)
                        touched.add(key)
        for key in touched:
            self.refresh_row(self.get_row_index(key))

    def _put_cursor(self, key: str | None) -> None:
        row = self.get_row_index(key) if key is not None and key in self.rows else 0
        self.set_reactive(DataTable.cursor_coordinate, Coordinate(row, 0))
        self.refresh()

    def _cursor_is_in_view(self) -> bool:
        line = self.cursor_row - self.scroll_offset.y
        return 0 <= line < self.scrollable_content_region.height - self.header_height

    def _bring_cursor_into_view(self) -> None:
        row = Region(self.scroll_offset.x, self.cursor_row + self.header_height, 1, 1)
        self.scroll_to_region(row, spacing=Spacing(top=self.header_height), animate=False, force=True)


def _survivor(before: Sequence[str], key: str | None, rows: Collection[object]) -> str | None:
    """Return `key`, or where it is gone its nearest neighbour that is left: the next one below, else above."""
    if key is None or key in rows or key not in before:
        return key
    place = before.index(key)
    neighbours = (*before[place:], *reversed(before[:place]))
    return next((neighbour for neighbour in neighbours if neighbour in rows), None)

"""The least that a Textual table costs: what the dashboard is measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App
from textual.widgets import DataTable

if TYPE_CHECKING:
    from textual.app import ComposeResult


class BareApp(App[None]):
    """An empty table."""

    def compose(self) -> ComposeResult:
        yield DataTable()

    def on_mount(self) -> None:
        self.query_one(DataTable).add_columns("bare-table-is-painted")


if __name__ == "__main__":
    BareApp().run()

"""The command line: what every verb shares. A verb imports only what it needs, when it runs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tui.cli.collector import collector_at_rest
from tui.cli.exits import CommandError, Exit
from tui.cli.parser import parse
from tui.cli.streams import complain, mend_streams

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Only data goes to stdout."""
    mend_streams()
    options = parse(arguments)
    try:
        if options.log is not None:
            import_module("tui.cli.logfile").begin_log(options)
        with collector_at_rest():
            module = import_module(f"tui.cli.{options.module}")
        code: int = module.run(options)
    except CommandError as error:
        tell(error.message, error.hint)
        return error.code
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return Exit.BROKEN_PIPE
    return code


def tell(message: str, hint: str = "") -> None:
    """Write a sentence, and what to do about it, to stderr."""
    from tui.domain.text import visible  # noqa: PLC0415 - `--help` needs none of it

    complain(visible(f"peerdeck: {message}"))
    if hint:
        complain(visible(f"  {hint}"))

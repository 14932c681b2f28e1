"""The options of every verb."""

from __future__ import annotations

import argparse
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from tui import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOUR: Final = 3600
_REVISION: Final = re.compile(r"[0-9a-f]{64}")

_EXITS: Final = (
    "exit codes: 0 done; 1 refused or failed; 2 wrong usage; 3 registry or settings unreadable; "
    "4 unknown, the message may have been sent; 130 interrupted; 141 the reader of stdout went away"
)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; `module` names the part of `tui.cli` that runs it. Exits with 2 on wrong usage."""
    return _parser().parse_args(arguments)


def _parser() -> argparse.ArgumentParser:
    everywhere = _shared(default=argparse.SUPPRESS)
    parser = argparse.ArgumentParser(
        prog="peerdeck",
        description="See your live Claude Code sessions, write to them, and decide what they accept from each other.",
        epilog=f"Without a verb, the dashboard opens. {_EXITS}",
        parents=[_shared(default=None)],
    )
    parser.add_argument("--version", action="version", version=f"peerdeck {__version__}")
    parser.set_defaults(module="dashboard")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")

    def verb(name: str, module: str, about: str) -> argparse.ArgumentParser:
        added = verbs.add_parser(name, help=about, description=about, epilog=_EXITS, parents=[everywhere])
        added.set_defaults(module=module)
        return added

    _list_options(verb("list", "listing", "Print the live sessions."))
    _send_options(verb("send", "send", "Send one message to a session and say what became of it."))
    _policy_options(verb("policy", "policy", "Show or set the user-level policy for messages from other sessions."))
    _json_option(verb("watch", "watch", "Print the live sessions, then a line for each change."))
    _json_option(verb("doctor", "doctor", "Look at all that peerdeck depends on: each line is ok, or says what to do."))
    return parser


def _shared(default: Any) -> argparse.ArgumentParser:
    """Options that may stand before or behind the verb; behind it they have no default, which would undo the first."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--config-dir",
        metavar="DIR",
        default=default,
        help="Claude Code's config directory (default: $CLAUDE_CONFIG_DIR, else ~/.claude)",
    )
    shared.add_argument(
        "--claude",
        metavar="PROGRAM",
        default="claude" if default is None else default,
        help="the program that carries messages (default: claude)",
    )
    shared.add_argument(
        "--log",
        metavar="FILE",
        default=default,
        help="append what happens to FILE, for a bug report; no texts, no keys",
    )
    return shared


def _json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _list_options(parser: argparse.ArgumentParser) -> None:
    _json_option(parser)
    parser.add_argument("--all", action="store_true", help="also records whose session is over, and unusable files")


def _send_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="a session's name, its id, or its endpoint")
    parser.add_argument(
        "text",
        metavar="TEXT",
        nargs="?",
        default="-",
        help="the message; - or nothing reads it from stdin, less one final line end; put -- before a leading dash",
    )
    _json_option(parser)
    parser.add_argument(
        "--timeout", metavar="S", type=_seconds, default=None, help="seconds until the courier is ended (default: 30)"
    )
    parser.add_argument("--model", metavar="M", default=None, help="the courier's model (default: haiku)")


def _policy_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "policy",
        metavar="POLICY",
        nargs="?",
        choices=["accept", "hold", "refuse", "default"],
        help="accept, hold, refuse, or default to remove the setting; without one, show what is set",
    )
    _json_option(parser)
    parser.add_argument(
        "--revision", metavar="HEX", type=_revision, help="change nothing unless the file still has this revision"
    )


def _seconds(text: str) -> float:
    with suppress(ValueError):
        seconds = float(text)
        if 0 < seconds <= _HOUR:  # which also keeps out nan and inf
            return seconds
    raise argparse.ArgumentTypeError(f"a number of seconds, more than 0 and at most {_HOUR}")


def _revision(text: str) -> str:
    if not _REVISION.fullmatch(text):
        raise argparse.ArgumentTypeError("64 hexadecimal digits, as `peerdeck policy` prints them")
    return text

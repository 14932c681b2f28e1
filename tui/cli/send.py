"""`peerdeck send`."""

from __future__ import annotations

import asyncio
import codecs
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from tui.cli import tell
from tui.cli.exits import CommandError, Exit
from tui.cli.output import print_json, print_line
from tui.cli.streams import complain
from tui.domain.addressing import find_addressee
from tui.domain.courier import COURIER_MODEL, COURIER_TIMEOUT, MESSAGE_LIMIT
from tui.domain.delivery import Cause, Delivery, Outcome
from tui.domain.endpoint import EndpointError
from tui.domain.messaging import Letter, message_peer
from tui.domain.roster import peer_facts
from tui.domain.text import visible
from tui.effects.claude_home import find_claude_home
from tui.effects.courier import ClaudeCourier
from tui.effects.exposure import exposure
from tui.effects.registry_reader import RegistryReader

if TYPE_CHECKING:
    import argparse

    from tui.domain.courier_stream import Stage

_MOST_BYTES: Final = 4 * (MESSAGE_LIMIT + 2)
"""More than the longest message has, whatever its characters; stdin may have no end."""

_log = logging.getLogger(__name__)

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(options: argparse.Namespace) -> int:
    """Send, and print what became of it."""
    text = _read_text() if options.text == "-" else options.text
    delivery, caught = asyncio.run(_send(options, text))
    _log.info("delivery %s %s", delivery.outcome.value, delivery.cause.value if delivery.cause else "")
    # Whoever cannot be told still learns by the exit code what became of the message.
    with suppress(BrokenPipeError):
        try:
            _report(delivery, as_json=options.json)
        except CommandError as error:
            tell(error.message, error.hint)
    return 128 + caught if caught else _exit_code(delivery)


def _report(delivery: Delivery, *, as_json: bool) -> None:
    if as_json:
        print_json(_facts(delivery))
        return
    print_line(visible(f"{delivery.outcome.value}: {delivery.message}"))
    if delivery.hint:
        complain(visible(f"  {delivery.hint}"))


def _read_text() -> str:
    if sys.stdin.isatty():
        tell("write the message, then press ctrl+d on a line of its own")
    try:
        data = sys.stdin.buffer.read(_MOST_BYTES)
        # What was cut off in the middle of a character is refused for its length, not for its end.
        text = codecs.getincrementaldecoder("utf-8")().decode(data, final=len(data) < _MOST_BYTES)
    except OSError as error:
        raise CommandError(
            Exit.USAGE, f"the message cannot be read: {error.strerror}", "Give it as an argument, or on stdin."
        ) from error
    except UnicodeDecodeError as error:
        raise CommandError(Exit.USAGE, f"the message is not UTF-8: {error}", "Convert it, then send again.") from error
    # The line end that `echo` and editors add is not part of the message, as in the shell's own $(…).
    return text[:-2] if text.endswith("\r\n") else text.removesuffix("\n")


async def _send(options: argparse.Namespace, text: str) -> tuple[Delivery, int]:
    home = find_claude_home(options.config_dir, os.environ)
    courier = ClaudeCourier(options.claude, os.environ, home.config_dir, config_dir_is_default=home.is_default)
    if exposed := exposure((home.registry, home.config_dir)):
        tell(exposed)
    source = RegistryReader(home, lambda: courier.pids)
    cancel = asyncio.Event()
    caught: list[int] = []

    def stop(number: int) -> None:
        caught.append(number)
        cancel.set()

    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` has it
            loop.add_signal_handler(number, stop, number)
    try:
        addressee = find_addressee(await source.read(), options.target)
    except EndpointError as error:
        raise CommandError(
            Exit.USAGE, f"{options.target}: {error}", "`peerdeck list --json` prints endpoints."
        ) from error
    if isinstance(addressee, Delivery):
        return addressee, 0
    letter = Letter(
        addressee.session_id,
        text,
        addressee.peer,
        model=options.model or COURIER_MODEL,
        timeout=options.timeout or COURIER_TIMEOUT,
    )
    delivery = await message_peer(letter, source=source, courier=courier, on_stage=_tell_stage, cancel=cancel)
    return delivery, caught[0] if caught else 0


def _tell_stage(stage: Stage) -> None:
    if sys.stderr.isatty():
        complain(f"{stage.value} …")


def _facts(delivery: Delivery) -> dict[str, Any]:
    return {
        "outcome": delivery.outcome.value,
        "message": delivery.message,
        "target": peer_facts(delivery.target) if delivery.target else None,
        "verified": delivery.verified,
        "courierReport": delivery.courier_report,
        "costUsd": delivery.cost_usd,
        "seconds": round(delivery.seconds, 3),
        "cause": delivery.cause.value if delivery.cause else None,
        "hint": delivery.hint,
    }


def _exit_code(delivery: Delivery) -> Exit:
    if delivery.cause is Cause.REGISTRY:
        return Exit.UNREADABLE
    if delivery.outcome is Outcome.SENT:
        return Exit.OK
    return Exit.UNKNOWN if delivery.outcome is Outcome.UNKNOWN else Exit.REFUSED

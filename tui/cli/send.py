"""`peerdeck send`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, Final

from tui.cli import tell
from tui.cli.exits import CommandError, Exit
from tui.cli.output import print_json
from tui.domain.courier import COURIER_MODEL, COURIER_TIMEOUT
from tui.domain.delivery import Cause, Delivery, Outcome
from tui.domain.endpoint import EndpointError
from tui.domain.messaging import Letter, find_addressee, message_peer
from tui.domain.roster import peer_facts
from tui.domain.text import visible
from tui.effects.claude_home import find_claude_home
from tui.effects.courier import ClaudeCourier
from tui.effects.registry_reader import RegistryReader

if TYPE_CHECKING:
    import argparse

    from tui.domain.courier_stream import Stage

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(options: argparse.Namespace) -> int:
    """Send, and print what became of it."""
    text = _read_text() if options.text == "-" else options.text
    delivery, caught = asyncio.run(_send(options, text))
    if options.json:
        print_json(_facts(delivery))
    else:
        print(visible(f"{delivery.outcome.value}: {delivery.message}"))
        if delivery.hint:
            print(visible(f"  {delivery.hint}"), file=sys.stderr)
    return 128 + caught if caught else _exit_code(delivery)


def _read_text() -> str:
    if sys.stdin.isatty():
        tell("write the message, then press ctrl+d on a line of its own")
    data = sys.stdin.buffer.read()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise CommandError(Exit.USAGE, f"the message is not UTF-8: {error}", "Convert it, then send again.") from error
    # The line end that `echo` and editors add is not part of the message, as in the shell's own $(…).
    return text.removesuffix("\n").removesuffix("\r")


async def _send(options: argparse.Namespace, text: str) -> tuple[Delivery, int]:
    home = find_claude_home(options.config_dir, os.environ)
    courier = ClaudeCourier(options.claude, os.environ, home.config_dir, config_dir_is_default=home.is_default)
    source = RegistryReader(home, lambda: courier.pids)
    cancel = asyncio.Event()
    caught: list[int] = []

    def stop(number: int) -> None:
        caught.append(number)
        cancel.set()

    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
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
        print(f"{stage.value} …", file=sys.stderr)


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

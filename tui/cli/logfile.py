"""`--log FILE`: what happened, for a bug report. No message texts, no keys, no settings values, no names."""

from __future__ import annotations

import logging
import os
import platform
from typing import TYPE_CHECKING

from tui import __version__
from tui.cli.exits import CommandError, Exit

if TYPE_CHECKING:
    import argparse


def begin_log(options: argparse.Namespace) -> None:
    """Append to the log that the options name. Only its owner can read a new one.

    Raises:
        CommandError: the file cannot be written.
    """
    # Without O_NONBLOCK, a FIFO that nobody reads would be waited for.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        stream = open(os.open(options.log, flags, 0o600), "w", encoding="utf-8")  # noqa: SIM115, PTH123 - until the end
    except OSError as error:
        message = f"the log {options.log} cannot be written: {error.strerror}"
        raise CommandError(Exit.USAGE, message, "Name another file with --log.") from error
    logging.raiseExceptions = False  # a full disk costs the log, and no tracebacks across the dashboard
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(name)s %(message)s"))
    logger = logging.getLogger("tui")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.info(
        "peerdeck %s, Python %s, %s, %s", __version__, platform.python_version(), platform.platform(), options.module
    )

"""A child that ends when its parent dies without ending it: by SIGKILL, a crash, or for want of memory."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_PR_SET_PDEATHSIG: Final = 1  # from <linux/prctl.h>
_SIGNAL: Final = int(signal.SIGTERM)

# Resolved here, so that nothing is looked up between fork and exec. PyDLL keeps the interpreter's lock meanwhile.
_prctl: Final = ctypes.PyDLL(None).prctl if sys.platform == "linux" else None


def parent_death_guard() -> Callable[[], None] | None:
    """Return what a child has to call between fork and exec; None where the system has no such thing (macOS).

    `preexec_fn` is documented as unsafe beside threads, since the child may wait for a lock that another thread held
    at the fork. This one takes none: two system calls, no import, no logging, nothing of Python's but the call itself.
    The other ways cost more than they save: `setpriv --pdeathsig` is not everywhere, and it or a Python in between
    would hide why the program cannot be executed, and hand on signals and a locale of its own.

    The kernel's "parent" is the thread that forked: couriers are started by the event loop's, which lives longest.
    """
    if _prctl is None:
        return None
    parent = os.getpid()

    def guard() -> None:
        _prctl(_PR_SET_PDEATHSIG, _SIGNAL)
        if os.getppid() != parent:  # it died before the guard stood
            os._exit(1)

    return guard

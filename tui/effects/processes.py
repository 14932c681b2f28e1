"""Whether a process is there, and whether it is the same one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, Protocol

from tui.domain.peers import PidSpace, ProcessSight

_GONE: Final = ProcessSight(exists=False)
_EXISTS: Final = ProcessSight(exists=True)
_OURS: Final = ProcessSight(exists=True, is_ours=True)
_STAT_BYTES: Final = 4096
_STATE_FIELD: Final = 0  # of those after the command's last parenthesis: field 3 of /proc/PID/stat
_START_FIELD: Final = 19  # field 22
_DEAD_STATES: Final = frozenset({b"Z", b"X", b"x"})
_PS_SECONDS: Final = 5


class Processes(Protocol):
    """Looks at processes. No signal is ever sent but the null signal, which only asks."""

    def look(self, pid: int) -> ProcessSight:
        """Look at one pid now."""
        ...


class ProcFs:
    """Linux: `/proc/PID/stat`."""

    def look(self, pid: int) -> ProcessSight:
        """Look at one pid; a zombie does not exist, a process of another user does."""
        if pid == os.getpid():
            return _OURS
        try:
            descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return _probe(pid)  # with hidepid, another user's process has no entry
        except OSError:
            return _EXISTS
        try:
            stat = os.read(descriptor, _STAT_BYTES)
        except OSError:
            return _GONE  # it ended between the two calls
        finally:
            os.close(descriptor)
        # The command may hold anything, parentheses included.
        fields = stat[stat.rfind(b")") + 1 :].split()
        if len(fields) <= _START_FIELD:
            return _EXISTS
        if fields[_STATE_FIELD] in _DEAD_STATES:
            return _GONE
        return ProcessSight(exists=True, start=fields[_START_FIELD].decode())


class PosixPs:
    """macOS and others: `ps`, whose start time the records hold as `ps -o lstart=` in the C locale and UTC."""

    def look(self, pid: int) -> ProcessSight:
        """Look at one pid; a zombie does not exist, a process of another user does."""
        import subprocess  # noqa: PLC0415 - Linux needs none of it

        if pid == os.getpid():
            return _OURS
        if not _probe(pid).exists:
            return _GONE
        try:
            answer = subprocess.run(
                ["/bin/ps", "-o", "stat=,lstart=", "-p", str(pid)],
                env={"LC_ALL": "C", "TZ": "UTC"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PS_SECONDS,
                check=False,
            ).stdout.decode("ascii", "replace")
        except (OSError, subprocess.TimeoutExpired):
            return _EXISTS
        state, _, start = answer.strip().partition(" ")
        if not state or state.startswith("Z"):
            return _GONE  # nothing is printed of a process that ended in between
        return ProcessSight(exists=True, start=start.strip() or None)


def _probe(pid: int) -> ProcessSight:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return _GONE
    except PermissionError:
        return _EXISTS
    except (OSError, OverflowError):
        return _GONE
    return _EXISTS


def system_processes() -> Processes:
    """Return the way to look at processes on this system."""
    return ProcFs() if sys.platform == "linux" else PosixPs()


def own_pid_space() -> PidSpace:
    """Find out which pid space this program runs in."""
    if sys.platform != "linux":
        return PidSpace(sys.platform)
    machines = {os.uname().nodename} | {
        machine for path in ("/etc/machine-id", "/var/lib/dbus/machine-id") if (machine := _first_line(path))
    }
    try:
        namespace = os.readlink("/proc/self/ns/pid").removeprefix("pid:[").removesuffix("]")  # noqa: PTH115
    except OSError:
        namespace = None
    return PidSpace(sys.platform, frozenset(machines), namespace)


def _first_line(path: str) -> str:
    try:
        return Path(path).read_text("ascii", "replace").strip()
    except OSError:
        return ""

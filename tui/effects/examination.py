"""Looks at all that peerdeck depends on, for `peerdeck doctor`. Changes nothing."""

from __future__ import annotations

import locale
import os
import platform
import shutil
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from tui.domain.courier import courier_environment
from tui.domain.delivery import HINTS
from tui.domain.diagnosis import Finding
from tui.domain.inbound import SettingsError
from tui.domain.records import FaultReason
from tui.domain.roster import RegistryState
from tui.domain.verdict import NotStarted
from tui.effects.exposure import exposure
from tui.effects.file_events import CannotWatchError, FileEvents
from tui.effects.program import cannot_start, find_program
from tui.effects.registry_reader import RegistryReader
from tui.effects.settings_file import SettingsFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tui.effects.claude_home import ClaudeHome

_VERSION_SECONDS: Final = 10


def examine(home: ClaudeHome, program: str, environment: Mapping[str, str], version: str) -> Iterator[Finding]:
    """Yield what was found, one thing after the other."""
    yield Finding(
        "peerdeck", f"{version}, Python {platform.python_version()}, {platform.system()} {platform.release()}"
    )
    yield _claude(program, environment)
    yield _config_dir(home)
    yield _registry(home)
    yield _watch(home)
    yield _process_ends()
    yield _settings(home)
    yield _terminal(environment)
    yield _tmux(environment)


def _claude(program: str, environment: Mapping[str, str]) -> Finding:
    found = find_program(program, environment)
    if isinstance(found, NotStarted):
        return Finding("claude", found.message, HINTS[found.cause])
    try:
        code, said = _ask_version(found, courier_environment(environment, None))
    except TimeoutError:
        return Finding("claude", f"{found} --version does not end", "Mend or reinstall Claude Code.")
    except OSError as error:
        trouble = cannot_start(found, error)
        return Finding("claude", trouble.message, HINTS[trouble.cause])
    if code:
        return Finding("claude", f"{found} --version ended with {code}", "Mend or reinstall Claude Code.")
    return Finding("claude", f"{found}: {said}")


def _ask_version(program: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run `program --version` in a group of its own, so that all of one that hangs can be ended.

    Raises:
        OSError: it cannot be started.
        TimeoutError: it does not end.
    """
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        [program, "--version"], stdin=null, stdout=pipe, stderr=null, env=environment, start_new_session=True
    ) as process:
        try:
            said, _ = process.communicate(timeout=_VERSION_SECONDS)
        except subprocess.TimeoutExpired as error:
            os.killpg(process.pid, signal.SIGKILL)  # it is not reaped yet, so the number is still its own
            raise TimeoutError from error
    return process.returncode, said.decode("utf-8", "replace").strip()


def _config_dir(home: ClaudeHome) -> Finding:
    if trouble := _trouble_with(home.config_dir):
        hint = "Start `claude` once, or name the directory with --config-dir or CLAUDE_CONFIG_DIR."
        return Finding("config-dir", f"{home.config_dir} {trouble}", hint)
    if found := exposure((home.config_dir, home.registry)):
        return Finding("config-dir", found, "Take the write permission of others away.")
    return Finding("config-dir", str(home.config_dir))


def _trouble_with(directory: Path) -> str:
    """Say what keeps a directory from being used; empty when nothing does."""
    try:
        return "" if stat.S_ISDIR(directory.stat().st_mode) else "is not a directory"
    except FileNotFoundError:
        return "is not there"
    except OSError as error:
        return f"cannot be looked at: {error.strerror}"


def _registry(home: ClaudeHome) -> Finding:
    roster = RegistryReader(home).read_now()
    match roster.state:
        case RegistryState.MISSING:
            return Finding("registry", f"{home.registry} is not there", "Start `claude` once.")
        case RegistryState.UNREADABLE:
            hint = "Make the directory readable for you."
            return Finding("registry", f"{home.registry} cannot be read: {roster.detail}", hint)
        case RegistryState.READ:
            counts = f"{len(roster.peers)} shown, {len(roster.absent)} over, {len(roster.faults)} unusable files"
            broken = any(fault.reason is not FaultReason.NAME for fault in roster.faults)
            hint = "`peerdeck list --all` names them; a record that stays broken hides its session." if broken else ""
            return Finding("registry", f"{home.registry}: {counts}", hint)


def _watch(home: ClaudeHome) -> Finding:
    existing = [directory for directory in (home.registry, home.config_dir) if not _trouble_with(directory)]
    if not existing:
        return Finding("watch", "there is no directory to watch yet")
    try:
        FileEvents(existing, lambda _paths: None).close()
    except CannotWatchError as error:
        return Finding(
            "watch", f"file events are not to be had: {error}", "Raise the limit; until then, peerdeck polls."
        )
    return Finding("watch", "file events are told")


def _process_ends() -> Finding:
    if sys.platform == "linux":
        try:
            os.close(os.pidfd_open(os.getpid()))
        except OSError as error:
            return Finding(
                "process-ends", f"pidfd is not to be had: {error}", "Use Linux 5.3 or newer, or accept polling."
            )
    return Finding("process-ends", "the end of a process is told")


def _settings(home: ClaudeHome) -> Finding:
    try:
        seen = SettingsFile(home.config_dir).read()
    except SettingsError as error:
        return Finding("settings", error.message, error.hint)
    is_set = "is set" if seen.policy else "is not set"
    if os.path.islink(seen.path):  # noqa: PTH114 - Path.is_symlink may raise
        return Finding(
            "settings", f"{seen.path}: a link, so peerdeck reads it and does not change it; the policy {is_set}"
        )
    return Finding("settings", f"{seen.path}: the policy {is_set}")


def _terminal(environment: Mapping[str, str]) -> Finding:
    term = environment.get("TERM", "")
    encoding = locale.getpreferredencoding(do_setlocale=False)
    columns, lines = shutil.get_terminal_size()
    found = f"TERM {term or 'not set'}, {columns}x{lines}, {encoding}"
    if not term or term == "dumb":
        return Finding("terminal", found, "Use a terminal that can be drawn on; TERM says that this one cannot.")
    if encoding.lower().replace("-", "") != "utf8":
        return Finding("terminal", found, "Set LANG to a UTF-8 locale, such as C.UTF-8.")
    return Finding("terminal", found)


def _tmux(environment: Mapping[str, str]) -> Finding:
    if not environment.get("TMUX"):
        return Finding("tmux", "not inside tmux")
    term = environment.get("TERM", "")
    if not term.startswith(("tmux", "screen")):
        return Finding(
            "tmux", f"inside tmux, but TERM is {term}", "Leave TERM to tmux (default-terminal tmux-256color)."
        )
    return Finding("tmux", f"inside tmux, TERM {term}")

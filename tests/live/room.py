"""The closed room: real Claude Code sessions with a home of their own and a loopback model."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from tests.live.session import Session
from tests.live.stub_model import StubModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROJECT: Final = Path(__file__).parents[2]
_KEY: Final = "sk-ant-loopback-only-0000"
_LONGEST_RUN: Final = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Finished:
    """What one `peerdeck` left behind."""

    code: int
    output: str
    errors: str

    @property
    def json(self) -> Any:
        return json.loads(self.output)


class Room:
    """A home, a model, sessions by name, and `peerdeck` run among them."""

    def __init__(self, program: Path, config_dir: str | None = None) -> None:
        # A short path: a Unix socket's may hold no more than 103 bytes.
        self.root = Path(tempfile.mkdtemp(prefix="room", dir="/tmp")).resolve()
        self._ending = ExitStack()
        self._ending.callback(shutil.rmtree, self.root)
        self.home, self._work, bin_dir, tmp = (self.root / name for name in ("home", "work", "bin", "tmp"))
        for folder in (self.home, self._work, bin_dir, tmp):
            folder.mkdir()
        (bin_dir / "claude").symlink_to(program)
        self.config_dir = self.home / (config_dir or ".claude")
        self.config_dir.mkdir()
        self.model = StubModel()
        self._ending.callback(self.model.close)
        self.sessions: dict[str, Session] = {}
        self._ending.callback(self._kill_all)
        self.environment = self._environment(bin_dir, tmp)
        if config_dir:
            self.environment["CLAUDE_CONFIG_DIR"] = str(self.config_dir)
        self._answer_first_questions(self.config_dir if config_dir else self.home)

    @property
    def settings(self) -> Path:
        return self.config_dir / "settings.json"

    def courier_records(self) -> list[Path]:
        """Return the records of headless sessions, as couriers are."""
        records = (self.config_dir / "sessions").glob("[0-9]*.json")
        return [record for record in records if b'"sdk-cli"' in record.read_bytes()]

    def start(self, name: str, *flags: str, beside: str | None = None) -> Session:
        """Start an interactive session, in a folder of its own or in another one's; return it once it is idle."""
        folder = self._work / (beside or name)
        folder.mkdir(exist_ok=True)
        session = Session(["claude", "--name", name, *flags], folder, self.environment, self.config_dir)
        self.sessions[name] = session
        session.wait_for_status("idle")
        return session

    def end(self, name: str) -> None:
        """End a session."""
        self.sessions.pop(name).close()

    def claude(self, *arguments: str) -> str:
        """Run `claude` once and return what it prints."""
        return subprocess.run(
            ["claude", *arguments],
            env=self.environment,
            cwd=self._work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=_LONGEST_RUN,
            check=True,
            text=True,
        ).stdout

    def peerdeck(self, *arguments: str, typed: bytes = b"", variables: Mapping[str, str] | None = None) -> Finished:
        """Run `peerdeck` to its end, with `variables` in its environment besides the room's."""
        return finish(self.open_peerdeck(*arguments, variables=variables), typed)

    def open_peerdeck(self, *arguments: str, variables: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start `peerdeck` with pipes."""
        return subprocess.Popen(
            [sys.executable, "-m", "tui", *arguments],
            env=self.environment | dict(variables or {}),
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, *arguments: str, typed: bytes = b"") -> Finished:
        """Run `peerdeck send --json`."""
        return self.peerdeck("send", "--json", *arguments, typed=typed)

    def strangers(self) -> list[str]:
        """Name every process of this room that no session started: couriers, and whatever they leave behind."""
        parents = dict(self._processes())
        known = {session.pid for session in self.sessions.values()}
        return [_command(pid) for pid in parents if not known.intersection(_line_of(pid, parents))]

    def close(self) -> None:
        """End the sessions and the model, and remove the home."""
        with self._ending:
            for session in self.sessions.values():
                session.terminate()
            for session in self.sessions.values():
                session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _processes(self) -> Iterator[tuple[int, int]]:
        """Yield the pid and the parent of every process that has this home in its environment."""
        mark = f"HOME={self.home}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    yield int(process.name), _parent(process)
            except OSError:
                continue  # it ended meanwhile, or is another user's

    def _kill_all(self) -> None:
        """End what is left: a shell in the background can outlive its session."""
        for pid, _ in self._processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _environment(self, bin_dir: Path, tmp: Path) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "TMPDIR": str(tmp),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PATH": f"{bin_dir}:/usr/local/bin:/usr/bin:/bin",
            "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": _KEY,
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",  # lets root start a session in bypass mode, here only
        }

    def _answer_first_questions(self, folder: Path) -> None:
        """Answer beforehand what a first start asks: onboarding, the key, trust in the folder of the sessions."""
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True, "allowedTools": []}
        state = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "bypassPermissionsModeAccepted": True,
            "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
            "projects": {str(self._work): trusted},
        }
        (folder / ".claude.json").write_text(json.dumps(state))


def finish(process: subprocess.Popen[bytes], typed: bytes = b"") -> Finished:
    """Wait for the end of a `peerdeck`."""
    with process:
        output, errors = process.communicate(typed, _LONGEST_RUN)
    return Finished(process.returncode, output.decode(), errors.decode())


def _parent(process: Path) -> int:
    """Return the parent of a /proc entry; the program's name before it may hold anything but a `)`."""
    return int((process / "stat").read_text().rpartition(")")[2].split()[1])


def _line_of(pid: int, parents: dict[int, int]) -> Iterator[int]:
    """Yield a process, its parent, that one's parent, as far as they belong to the room."""
    while pid in parents:
        yield pid
        pid = parents[pid]


def _command(pid: int) -> str:
    with suppress(OSError):  # it ended meanwhile
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return f"{pid} {b' '.join(words).decode('utf-8', 'replace')}"
    return f"{pid}"

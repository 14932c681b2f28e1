from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.building import write_record
from tests.waiting import next_roster, wait_until
from tui.domain.peers import ProcessSight
from tui.domain.roster import RegistryState, Roster
from tui.effects import file_events
from tui.effects import watcher as watcher_module
from tui.effects.claude_home import ClaudeHome
from tui.effects.file_events import CannotWatchError, FileEvents
from tui.effects.process_ends import PidfdTeller
from tui.effects.processes import system_processes
from tui.effects.watcher import RegistryWatcher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    StartProcess = Callable[..., subprocess.Popen[bytes]]

NEVER = 3600.0


@pytest.fixture
def told_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No heartbeat: whatever is seen was told."""
    monkeypatch.setattr(watcher_module, "HEARTBEAT", NEVER)
    monkeypatch.setattr(watcher_module, "POLL", NEVER)
    monkeypatch.setattr(watcher_module, "_MOST_OF_TIME", 0)


@pytest.fixture
def quick_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher_module, "HEARTBEAT", 0.05)
    monkeypatch.setattr(watcher_module, "POLL", 0.05)
    monkeypatch.setattr(watcher_module, "_MOST_OF_TIME", 0)


def watcher_of(registry: Path) -> RegistryWatcher:
    return RegistryWatcher(ClaudeHome(registry.parent, is_default=True))


def live_record(registry: Path, process: subprocess.Popen[bytes], **changes: object) -> Path:
    return write_record(registry, process.pid, **({"procStart": system_processes().look(process.pid).start} | changes))


def statuses(roster: Roster) -> list[str]:
    return [peer.status.value for peer in roster.peers]


@pytest.mark.usefixtures("told_only")
async def test_a_written_a_changed_and_a_removed_record_are_told(registry: Path, start_process: StartProcess) -> None:
    process = start_process()
    async with aclosing(watcher_of(registry).watch()) as rosters:
        assert (await anext(rosters)).peers == ()
        path = live_record(registry, process, status="idle")
        assert statuses(await next_roster(rosters, lambda roster: roster.peers)) == ["idle"]
        live_record(registry, process, status="busy")
        await next_roster(rosters, lambda roster: statuses(roster) == ["busy"])
        path.unlink()
        await next_roster(rosters, lambda roster: not roster.peers)


@pytest.mark.usefixtures("told_only")
async def test_a_killed_process_is_told_although_its_file_stays_and_no_other_row_moves(
    registry: Path, start_process: StartProcess
) -> None:
    victim, other = start_process(), start_process()
    path = live_record(registry, victim, status="busy")
    live_record(registry, other)
    async with aclosing(watcher_of(registry).watch()) as rosters:
        before = await next_roster(rosters, lambda roster: len(roster.peers) == 2)
        victim.kill()
        after = await next_roster(rosters, lambda roster: len(roster.peers) == 1)
    assert path.exists()
    assert after.peers[0] is before.find(other.pid)


@pytest.mark.usefixtures("told_only")
async def test_a_directory_that_appears_later_is_told(home: Path, start_process: StartProcess) -> None:
    registry = home / ".claude" / "sessions"
    registry.parent.mkdir()
    async with aclosing(watcher_of(registry).watch()) as rosters:
        assert (await anext(rosters)).state is RegistryState.MISSING
        assert not registry.exists()
        registry.mkdir()
        await next_roster(rosters, lambda roster: roster.state is RegistryState.READ)
        live_record(registry, start_process())
        await next_roster(rosters, lambda roster: roster.peers)


def removed_and_made_again(registry: Path) -> None:
    shutil.rmtree(registry)
    registry.mkdir()


def swapped_by_rename(registry: Path) -> None:
    fresh = registry.with_name("fresh")
    fresh.mkdir()
    registry.rename(registry.with_name("old"))
    fresh.rename(registry)


@pytest.mark.usefixtures("told_only")
@pytest.mark.parametrize("replace", [removed_and_made_again, swapped_by_rename])
async def test_a_directory_that_is_replaced_is_watched_anew(
    registry: Path, start_process: StartProcess, replace: Callable[[Path], None]
) -> None:
    live_record(registry, start_process())
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: roster.peers)
        replace(registry)
        await next_roster(rosters, lambda roster: roster.state is RegistryState.READ and not roster.peers)
        live_record(registry, start_process())
        await next_roster(rosters, lambda roster: roster.peers)


@pytest.mark.usefixtures("told_only")
async def test_a_linked_directory_that_is_pointed_elsewhere_is_watched_anew(
    home: Path, tmp_path: Path, start_process: StartProcess
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    registry = home / ".claude" / "sessions"
    registry.parent.mkdir()
    registry.symlink_to(one)
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await anext(rosters)
        live_record(one, start_process())
        await next_roster(rosters, lambda roster: roster.peers)
        registry.with_name("next").symlink_to(other)
        registry.with_name("next").rename(registry)
        await next_roster(rosters, lambda roster: not roster.peers)
        live_record(other, start_process())
        await next_roster(rosters, lambda roster: roster.peers)


@pytest.mark.usefixtures("told_only")
async def test_a_removed_directory_is_said_to_be_missing(registry: Path) -> None:
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await anext(rosters)
        shutil.rmtree(registry)
        await next_roster(rosters, lambda roster: roster.state is RegistryState.MISSING)


@pytest.mark.usefixtures("quick_heartbeat")
async def test_a_config_directory_that_appears_later_is_found(home: Path, start_process: StartProcess) -> None:
    registry = home / ".claude" / "sessions"
    async with aclosing(watcher_of(registry).watch()) as rosters:
        assert (await anext(rosters)).state is RegistryState.MISSING
        registry.mkdir(parents=True)
        live_record(registry, start_process())
        await next_roster(rosters, lambda roster: roster.peers)


@pytest.mark.usefixtures("told_only")
@pytest.mark.parametrize("inside", ["repo/.git/claude", "proj/.venv/claude", "node_modules/claude"])
async def test_a_directory_whose_path_watchers_like_to_ignore_is_watched_like_any_other(
    tmp_path: Path, start_process: StartProcess, inside: str
) -> None:
    registry = tmp_path / inside / "sessions"
    registry.mkdir(parents=True)
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await anext(rosters)
        live_record(registry, start_process())
        await next_roster(rosters, lambda roster: roster.peers)


def open_descriptors() -> set[Path]:
    return set(Path("/dev/fd").iterdir())


class SilentEvents:
    """File events of a file system that sends none."""

    is_over = False

    def __init__(self, _directories: Sequence[Path], _on_change: Callable[[set[str]], None]) -> None: ...

    def close(self) -> None: ...


@pytest.mark.usefixtures("quick_heartbeat")
async def test_the_heartbeat_finds_what_no_event_told(
    registry: Path, start_process: StartProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_events, "FileEvents", SilentEvents)
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await anext(rosters)
        process = start_process()
        live_record(registry, process, status="idle")
        await next_roster(rosters, lambda roster: roster.peers)
        live_record(registry, process, status="waiting")
        await next_roster(rosters, lambda roster: statuses(roster) == ["waiting"])


@pytest.mark.usefixtures("quick_heartbeat")
async def test_without_file_events_the_reason_is_said_and_they_are_tried_again(
    registry: Path, start_process: StartProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object) -> FileEvents:
        raise CannotWatchError("no inotify instance is left (fs.inotify.max_user_instances)")

    monkeypatch.setattr(file_events, "FileEvents", exhausted)
    async with aclosing(watcher_of(registry).watch()) as rosters:
        assert "max_user_instances" in (await anext(rosters)).watch_trouble
        live_record(registry, start_process())
        await next_roster(rosters, lambda roster: roster.peers)
        monkeypatch.setattr(file_events, "FileEvents", FileEvents)
        await next_roster(rosters, lambda roster: not roster.watch_trouble)


def test_a_watch_that_the_system_refuses_names_the_real_limit(tmp_path: Path) -> None:
    with pytest.raises(CannotWatchError, match="No such file"):
        FileEvents([tmp_path / "missing"], print)


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_when_nothing_is_left_to_watch_with_the_limits_are_named(tmp_path: Path) -> None:
    code = (
        "import resource, sys\nfrom pathlib import Path\nfrom tui.effects.file_events import *\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
        "try:\n    FileEvents([Path(sys.argv[1])], print)\nexcept CannotWatchError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert "fs.inotify.max_user_instances" in done.stdout


@pytest.mark.usefixtures("quick_heartbeat")
async def test_processes_that_no_descriptor_was_left_for_are_looked_at_instead(
    registry: Path, start_process: StartProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PidfdTeller, "arm", lambda _self, _pid: False)
    process = start_process()
    live_record(registry, process)
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: roster.peers)
        process.kill()
        process.wait()
        await next_roster(rosters, lambda roster: not roster.peers)


@pytest.mark.usefixtures("told_only")
async def test_a_record_is_not_lost_in_a_burst_of_other_events(registry: Path, start_process: StartProcess) -> None:
    process = start_process()
    live_record(registry, process, status="idle")
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: roster.peers)
        for number in range(5_000):
            (registry / f"noise-{number % 50}.tmp").write_text("x")
        live_record(registry, process, status="busy")
        await next_roster(rosters, lambda roster: statuses(roster) == ["busy"])


@pytest.mark.usefixtures("quick_heartbeat")
async def test_a_roster_that_is_equal_to_the_last_one_is_not_yielded_again(
    registry: Path, start_process: StartProcess
) -> None:
    process = start_process()
    path = live_record(registry, process)
    seen: list[Roster] = []
    async with aclosing(watcher_of(registry).watch()) as rosters:
        seen.append(await anext(rosters))
        for _ in range(20):
            path.write_bytes(path.read_bytes())
            (registry / "other.tmp").touch()
        live_record(registry, process, status="busy")
        seen.append(await anext(rosters))
    assert [statuses(roster) for roster in seen] == [["idle"], ["busy"]]


@pytest.mark.usefixtures("told_only")
async def test_after_the_watch_is_closed_no_descriptor_and_no_thread_is_left(
    registry: Path, start_process: StartProcess
) -> None:
    import threading  # noqa: PLC0415

    live_record(registry, start_process())
    descriptors = open_descriptors()
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: roster.peers)
    wait_until(lambda: open_descriptors() <= descriptors, "closing every descriptor")
    assert not [thread for thread in threading.enumerate() if thread.name == "file events"]


async def test_reading_once_checks_every_process_again(registry: Path, start_process: StartProcess) -> None:
    process = start_process()
    live_record(registry, process)
    source = watcher_of(registry)
    assert len((await source.read()).peers) == 1
    process.kill()
    process.wait()
    assert (await source.read()).peers == ()
    assert system_processes().look(process.pid) == ProcessSight(exists=False)


async def test_a_directory_that_never_rests_does_not_put_the_heartbeat_off(
    registry: Path, start_process: StartProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "POLL", 0.5)  # longer than the pause between two changes
    monkeypatch.setattr(PidfdTeller, "arm", lambda _self, _pid: False)  # so that only the heartbeat sees an end
    victim, restless = start_process(), start_process()
    live_record(registry, victim)
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: roster.peers)
        victim.kill()
        victim.wait()
        for number in range(50):
            live_record(registry, restless, name=f"restless-{number}")
            roster = await next_roster(rosters, lambda roster: roster.find(restless.pid))
            if roster.find(victim.pid) is None:
                return
    pytest.fail("the end was not seen among 50 changes")

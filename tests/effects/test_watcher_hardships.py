"""Watching when the system is out of watches, files are torn, names are odd and events are too many."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from contextlib import aclosing, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.building import record_fields
from tests.effects.stub_claude import ECHO, comes_about
from tests.effects.test_watcher import SilentEvents, live_record, statuses, watcher_of
from tests.waiting import next_roster, wait_until
from tui.domain.delivery import Outcome
from tui.domain.roster import Roster
from tui.effects import file_events
from tui.effects import watcher as watcher_module
from tui.effects.claude_home import ClaudeHome
from tui.effects.file_events import FileEvents
from tui.effects.watcher import RegistryWatcher

if TYPE_CHECKING:
    from pathlib import Path

    from tests.effects.stub_claude import StubClaude
    from tests.effects.test_watcher import StartProcess

pytestmark = pytest.mark.usefixtures("quick_heartbeat")


@pytest.fixture
def quick_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher_module, "HEARTBEAT", 0.05)
    monkeypatch.setattr(watcher_module, "POLL", 0.05)
    monkeypatch.setattr(watcher_module, "_MOST_OF_TIME", 0)


def says(word: str | None, roster: Roster) -> bool:
    return roster.peers[0].record.status == word


async def test_a_session_that_went_from_busy_to_its_shell_is_busy_no_more(
    registry: Path, start_process: StartProcess
) -> None:
    process = start_process()
    live_record(registry, process, status="busy")
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: statuses(roster) == ["busy"])
        for word, status in (("shell", "shell"), ("compacting", "unknown"), (None, "unknown")):
            live_record(registry, process, status=word, version=f"9.{word}")
            roster = await next_roster(rosters, partial(says, word))
            assert statuses(roster) == [status]


async def test_a_record_that_is_torn_at_every_write_never_loses_its_row(
    registry: Path, start_process: StartProcess
) -> None:
    process = start_process()
    path = live_record(registry, process, status="idle")
    whole = path.read_bytes()
    done = threading.Event()

    def rewrite() -> None:
        for turn in range(60):
            for content in (b"", whole[:60], whole.replace(b'"idle"', b'"busy"') if turn % 2 else whole):
                path.write_bytes(content)
                done.wait(0.005)
        path.write_bytes(whole.replace(b'"idle"', b'"waiting"'))

    seen: list[Roster] = []
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: roster.peers)
        writer = threading.Thread(target=rewrite)
        writer.start()
        while not seen or statuses(seen[-1]) != ["waiting"]:
            seen.append(await next_roster(rosters, lambda _roster: True))
        writer.join()
    assert {len(roster.peers) for roster in seen} == {1}
    assert {roster.faults for roster in seen} == {()}


async def test_a_record_that_stays_torn_becomes_one_fault_and_its_row_goes(
    registry: Path, start_process: StartProcess
) -> None:
    path = live_record(registry, start_process())
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: roster.peers)
        path.write_bytes(path.read_bytes() + b'"}')
        roster = await next_roster(rosters, lambda roster: roster.faults)
        assert ([fault.file for fault in roster.faults], roster.peers) == ([path.name], ())


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has no such names")
async def test_a_file_whose_name_is_no_utf_8_costs_neither_the_watch_nor_a_word_on_the_terminal(
    registry: Path, start_process: StartProcess, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    process, opened, seen = start_process(), list[FileEvents](), list[Roster]()

    def note(*given: Any) -> FileEvents:
        opened.append(FileEvents(*given))
        return opened[-1]

    async def follow() -> None:
        async with aclosing(watcher_of(registry).watch()) as rosters:
            async for roster in rosters:
                seen.append(roster)

    def shows(status: str) -> bool:
        return statuses(seen[-1]) == [status]

    monkeypatch.setattr(file_events, "FileEvents", note)
    following = asyncio.ensure_future(follow())
    assert await comes_about(lambda: len(seen) == 1)
    for name in (b"\xff.tmp", b"\xfe.json"):
        os.close(os.open(os.fsencode(registry) + b"/" + name, os.O_CREAT | os.O_WRONLY))
    assert await comes_about(lambda: opened[0].is_over and len(opened) > 1 and not opened[-1].is_over)
    for constant in ("HEARTBEAT", "POLL"):
        monkeypatch.setattr(watcher_module, constant, 3600.0)  # from now on, what is seen was told
    for status in ("idle", "busy", "waiting"):
        live_record(registry, process, status=status)
        assert await comes_about(partial(shows, status))
    following.cancel()
    await asyncio.wait([following])
    assert [fault.file for fault in seen[-1].faults] == [os.fsdecode(b"\xfe.json")]
    assert capfd.readouterr().err == ""


async def test_a_change_in_a_flood_of_events_is_seen(registry: Path, start_process: StartProcess) -> None:
    process = start_process()
    live_record(registry, process, status="idle")
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await next_roster(rosters, lambda roster: roster.peers)
        # Equal events in a row would be told as one.
        noise = [os.open(registry / f"noise-{number}.tmp", os.O_CREAT | os.O_WRONLY) for number in range(2)]
        for turn in range(20_000):
            os.pwrite(noise[turn % 2], b"x", 0)
            if turn == 10_000:
                live_record(registry, process, status="busy")
        for descriptor in noise:
            os.close(descriptor)
        await next_roster(rosters, lambda roster: statuses(roster) == ["busy"])


async def test_however_long_a_look_takes_the_next_one_is_not_put_off_for_ever(
    registry: Path, start_process: StartProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_events, "FileEvents", SilentEvents)
    monkeypatch.setattr(watcher_module, "_MOST_OF_TIME", 10**9)
    monkeypatch.setattr(watcher_module, "_LONGEST_PAUSE", 0.1)
    async with aclosing(watcher_of(registry).watch()) as rosters:
        await anext(rosters)
        live_record(registry, start_process())
        await next_roster(rosters, lambda roster: roster.peers)


_COURIER = ECHO.replace(
    "prompt =",
    """import os
record = os.environ["NOTES"] + "/sessions/%d.json" % os.getpid()
open(record, "w").write(os.environ["RECORD"].replace("4242", str(os.getpid())))
time.sleep(0.3)
prompt =""",
    1,
).replace("import json", "import time, json", 1)


async def test_an_own_courier_that_registers_itself_never_has_a_row(
    claude: StubClaude, start_process: StartProcess
) -> None:
    registry = claude.folder / "notes" / "sessions"
    registry.mkdir()
    live_record(registry, start_process())
    claude.install(_COURIER)
    record = json.dumps(record_fields(4242, entrypoint="sdk-cli", name="derived-by-claude", procStart=None))
    courier = claude.courier(RECORD=record)
    source = RegistryWatcher(ClaudeHome(registry.parent, is_default=True), lambda: courier.pids)
    seen: list[Roster] = []
    async with aclosing(source.watch()) as rosters:
        seen.append(await anext(rosters))
        delivery = asyncio.ensure_future(claude.run(courier=courier))
        looking = asyncio.ensure_future(anext(rosters))
        assert (await delivery).outcome is Outcome.SENT
        looking.cancel()
        with suppress(asyncio.CancelledError):
            seen.append(await looking)
    assert len(list(registry.glob("*.json"))) == 2
    assert {len(roster.peers) for roster in seen} == {1}
    assert courier.pids == set()


WATCHING = """
echo 0 >/proc/sys/user/$LIMIT
(while [ ! -e "$GO" ]; do sleep 0.02; done; echo 100 >/proc/sys/user/$LIMIT) >/dev/null 2>&1 &
exec "$@"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
@pytest.mark.parametrize("limit", ["max_inotify_instances", "max_inotify_watches"])
def test_without_a_watch_left_it_polls_names_the_limit_and_recovers(
    registry: Path, tmp_path: Path, start_process: StartProcess, limit: str
) -> None:
    apart = ["unshare", "--user", "--map-root-user"]
    probe = [*apart, "sh", "-c", f"echo 0 >/proc/sys/user/{limit}"]
    if not shutil.which("unshare") or subprocess.run(probe, check=False, capture_output=True).returncode:
        pytest.skip("no user namespace to be had")
    go, out = tmp_path / "go", tmp_path / "events"

    def told() -> list[dict[str, Any]]:
        return [json.loads(line) for line in out.read_text().splitlines()]

    def has_trouble(*, over: bool) -> bool:
        named = f"fs.inotify.{limit.replace('inotify', 'user')}"
        return any(
            event["event"] == "trouble" and event["over"] is over and named in event["message"] for event in told()
        )

    with (
        out.open("wb") as stdout,
        subprocess.Popen(
            [*apart, "sh", "-c", WATCHING, "sh", sys.executable, "-m", "tui", "watch", "--json"],
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=os.environ | {"LIMIT": limit, "GO": str(go)},
        ) as watching,
    ):
        try:
            wait_until(lambda: has_trouble(over=False), "the limit's name")
            live_record(registry, start_process())
            wait_until(lambda: "added" in {event["event"] for event in told()}, "the new session")
            go.touch()
            wait_until(lambda: has_trouble(over=True), "the end of the trouble")
        finally:
            go.touch()
            watching.kill()
        assert watching.communicate()[1] == b""

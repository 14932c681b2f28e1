from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.waiting import wait_until
from tui.domain.peers import Place
from tui.effects.processes import PosixPs, own_pid_space, system_processes

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_running_process_exists_and_has_a_start(start_process: Callable[..., subprocess.Popen[bytes]]) -> None:
    first, second = system_processes().look(start_process().pid), system_processes().look(os.getpid())
    assert first.exists
    assert second.exists
    assert first.start != second.start


def test_a_zombie_does_not_exist(start_process: Callable[..., subprocess.Popen[bytes]]) -> None:
    child = start_process("true")
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and nobody has reaped it
    os.kill(child.pid, 0)  # it still answers the null signal
    assert not system_processes().look(child.pid).exists


def test_a_process_that_was_reaped_does_not_exist(start_process: Callable[..., subprocess.Popen[bytes]]) -> None:
    child = start_process("true")
    child.wait()
    assert not system_processes().look(child.pid).exists


def test_a_process_of_another_user_exists() -> None:
    if os.geteuid() != 0:
        assert system_processes().look(1).exists
        return
    code = (
        "import os; from tui.effects.processes import system_processes; os.setuid(65534);"
        "print(system_processes().look(1).exists)"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True\n"


def test_a_process_whose_name_holds_parentheses_has_its_own_start(
    start_process: Callable[..., subprocess.Popen[bytes]],
) -> None:
    child = start_process("bash", "-c", "echo ') R 1 1 1' > /proc/$$/comm; read < <(sleep 600)")
    plain = start_process()
    wait_until(lambda: system_processes().look(child.pid).start)
    starts = [int(system_processes().look(each.pid).start or 0) for each in (child, plain)]
    assert 0 <= starts[1] - starts[0] < 1000


@pytest.mark.parametrize("pid", [2**31 - 1, 2**22 + 5])
def test_a_pid_that_no_process_can_have_is_looked_at_without_an_error(pid: int) -> None:
    assert not system_processes().look(pid).exists


def test_ps_is_asked_for_the_start_where_there_is_no_proc(
    start_process: Callable[..., subprocess.Popen[bytes]],
) -> None:
    child = start_process()
    sight = PosixPs().look(child.pid)
    assert sight.exists
    child.kill()
    child.wait()
    assert not PosixPs().look(child.pid).exists


def test_this_programs_own_pid_space_is_here() -> None:
    space = own_pid_space()
    if sys.platform == "linux":
        assert all(space.place(f"linux:{machine}:pid:[{space.namespace}]") is Place.HERE for machine in space.machines)
    else:
        assert space.place("darwin") is Place.HERE

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.running import peerdeck
from tui import __version__


def test_version_and_help_are_data_on_stdout() -> None:
    assert peerdeck("--version").stdout == f"peerdeck {__version__}\n"
    done = peerdeck("--help")
    assert done.returncode == 0
    assert "exit codes: 0 done; 1 refused or failed" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("policy", "Accept"),
        ("policy", "--revision", "xyz"),
        ("send",),
        ("send", "a", "b", "--timeout", "0"),
        ("send", "a", "b", "--timeout", "nan"),
        ("send", "a", "-v"),
        (),
    ],
)
def test_wrong_usage_exits_with_2_and_says_nothing_on_stdout(arguments: tuple[str, ...]) -> None:
    done = peerdeck(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_malformed_endpoint_is_wrong_usage() -> None:
    done = peerdeck("send", "cc-peer:v1:12:name", "hello")
    assert (done.returncode, done.stdout) == (2, "")
    assert "not a Claude Code peer endpoint" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (("--help",), ("textual", "watchfiles", "pydantic", "asyncio")),
        (("--version",), ("textual", "watchfiles", "pydantic", "asyncio")),
        (("list",), ("textual", "rich", "watchfiles", "asyncio", "blake3", "subprocess", "tui.effects.courier")),
        (("policy",), ("textual", "rich", "watchfiles", "asyncio", "tui.effects.registry")),
        (("send", "nobody", "hello"), ("textual", "rich", "watchfiles", "blake3")),
    ],
    ids=lambda value: value[0],
)
def test_a_verb_imports_only_what_it_needs(arguments: tuple[str, ...], unwanted: tuple[str, ...]) -> None:
    code = (
        "import sys\nfrom tui.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        f"print(sorted(set({unwanted!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"

"""Running the real command as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

SECONDS: Final = 60


def peerdeck(*arguments: str, text: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `peerdeck` to its end."""
    data = text.encode() if isinstance(text, str) else text
    done = subprocess.run(
        [sys.executable, "-m", "tui", *arguments],
        input=data,
        capture_output=True,
        env=os.environ | environment,
        timeout=SECONDS,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )

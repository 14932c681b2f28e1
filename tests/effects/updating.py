"""A process that updates settings once: `python -m tests.effects.updating CONFIG_DIR POLICY [--option …]`.

It prints one JSON line about what came of it and what it then sees in the directory.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
from pathlib import Path
from typing import Any

from tests.effects.os_steps import Countdown, step_in
from tui.domain.inbound import InboundPolicy, SettingsError
from tui.effects.settings_file import SettingsFile


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("config_dir", type=Path)
    parser.add_argument("policy", type=InboundPolicy)
    parser.add_argument("--revision")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--die-at", type=int)
    options = parser.parse_args()
    print("ready", flush=True)  # noqa: T201
    if options.die_at is not None:
        step_in(Countdown(options.die_at, lambda: os.kill(os.getpid(), signal.SIGKILL)), setattr)
    report = [_update(options) for _ in range(options.times)][-1]
    report["entries"] = sorted(entry.name for entry in options.config_dir.iterdir())
    report["content"] = (options.config_dir / "settings.json").read_bytes().decode("latin-1")
    print(json.dumps(report))  # noqa: T201


def _update(options: argparse.Namespace) -> dict[str, Any]:
    try:
        settings = SettingsFile(options.config_dir).update(options.policy, options.revision)
    except SettingsError as error:
        return {"trouble": error.trouble, "message": error.message}
    return {"policy": settings.policy}


if __name__ == "__main__":
    main()

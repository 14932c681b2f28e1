from __future__ import annotations

import pytest

from tests.scenes import PICTURES, SCENES


@pytest.mark.parametrize("name", SCENES)
async def test_the_picture_is_what_the_program_shows(name: str) -> None:
    drawn = await SCENES[name].draw()
    kept = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == kept, "look at it, then write it anew with `python -m tests.scenes`"


def test_there_is_no_picture_without_a_scene() -> None:
    assert {path.stem for path in PICTURES.glob("*.svg")} == set(SCENES)


def test_no_picture_loads_anything() -> None:
    for path in PICTURES.glob("*.svg"):
        assert "url(" not in path.read_text(encoding="utf-8").replace("url(#", "")

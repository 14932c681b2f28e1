from __future__ import annotations

from tests.building import build_peer
from tui.domain.drafts import Drafts, PeerProcess, process_of

ALPHA, BETA, GAMMA = (build_peer(41000 + n, name=name) for n, name in enumerate(("alpha", "beta", "gamma"), 1))
LIVING = frozenset(map(process_of, (BETA, GAMMA)))


def test_a_text_is_the_process_whatever_its_name_and_session_are() -> None:
    drafts = Drafts()
    drafts.write(ALPHA, "hello")
    assert drafts.text(process_of(build_peer(41001, name="renamed", sessionId="cleared"))) == "hello"
    assert drafts.text(PeerProcess(41001, "another start")) == ""


def test_an_empty_text_is_no_draft() -> None:
    drafts = Drafts()
    drafts.write(ALPHA, "hello")
    drafts.write(ALPHA, "")
    assert drafts.processes() == frozenset()


def test_the_text_written_last_of_those_whose_peer_is_gone_goes_along() -> None:
    drafts = Drafts()
    delta = build_peer(41004, name="delta")
    drafts.write(delta, "older")
    drafts.write(ALPHA, "newer")
    drafts.write(GAMMA, "at home")
    taken = drafts.take_along(BETA, LIVING)
    assert taken is not None
    assert (taken.peer, drafts.text(process_of(BETA)), drafts.text(process_of(ALPHA))) == (ALPHA, "newer", "")
    homeless = drafts.homeless(LIVING)
    assert homeless is not None
    assert homeless.text == "older"


def test_a_text_is_never_put_in_place_of_another() -> None:
    drafts = Drafts()
    drafts.write(ALPHA, "homeless")
    drafts.write(BETA, "own")
    assert drafts.take_along(BETA, LIVING) is None
    assert drafts.text(process_of(BETA)) == "own"
    assert drafts.text(process_of(ALPHA)) == "homeless"

"""The model API's troubles, by what the program prints about them."""

from __future__ import annotations

import pytest

from tests.courier_lines import INIT, answered, called, result, said, verdict
from tui.domain.api_errors import api_cause
from tui.domain.delivery import Cause, Outcome
from tui.domain.verdict import CourierEnd

_UNAUTHORIZED = 'API Error: 401 {"type":"error","error":{"type":"authentication_error"}} · Please run /login'


@pytest.mark.parametrize(
    ("status", "words", "cause"),
    [
        (401, _UNAUTHORIZED, Cause.LOGIN),
        (None, _UNAUTHORIZED, Cause.LOGIN),
        (401, "", Cause.LOGIN),
        (403, "OAuth token revoked · Please run /login", Cause.LOGIN),
        (None, "Invalid API key · Fix external API key", Cause.LOGIN),
        (400, "Credit balance is too low", Cause.CREDIT),
        (402, "", Cause.CREDIT),
        (429, "You've hit your limit · resets 1pm", Cause.LIMIT),
        (None, "5-hour limit reached ∙ resets 3pm", Cause.LIMIT),
        (429, "", Cause.LIMIT),
        (529, "API Error: 529 Overloaded", Cause.OVERLOAD),
        (None, "API Error: Overloaded", Cause.OVERLOAD),
        (500, "Internal error in the model runner", Cause.OVERLOAD),
        (400, "API Error: 400 invalid model identifier", Cause.MODEL),
        (404, "It may not exist or you may not have access to it.", Cause.MODEL),
        (None, "API Error: Connection error. ECONNREFUSED", Cause.NETWORK),
        (None, "fetch failed", Cause.NETWORK),
        (418, "", Cause.API),
        (None, "strange", None),
        (None, "", None),
    ],
)
def test_each_trouble_has_its_cause(status: int | None, words: str, cause: Cause | None) -> None:
    assert api_cause(status, words) == cause


def test_too_many_turns_have_a_cause_of_their_own() -> None:
    assert api_cause(None, "", "error_max_turns") is Cause.TURNS


_TROUBLES = [
    (result(_UNAUTHORIZED, is_error=True, api_error_status=401), Cause.LOGIN),
    (result("You've hit your limit · resets 1pm", is_error=True, api_error_status=429), Cause.LIMIT),
    (result("Credit balance is too low", is_error=True, api_error_status=400), Cause.CREDIT),
    (result("API Error: 529 Overloaded", is_error=True, api_error_status=529), Cause.OVERLOAD),
    (result("API Error: 400 invalid model identifier", is_error=True, api_error_status=400), Cause.MODEL),
    (result(None, subtype="error_max_turns", is_error=True), Cause.TURNS),
    (result("SENT", is_error=True), Cause.API),
    (result(None, is_error=True, subtype="error_during_execution"), Cause.API),
]


@pytest.mark.parametrize("exit_code", [0, 1])
@pytest.mark.parametrize(("final", "cause"), _TROUBLES)
def test_an_error_that_wears_success_is_named_and_nothing_was_sent(final: object, cause: Cause, exit_code: int) -> None:
    delivery = verdict(INIT, said("…"), final, exit_code=exit_code)
    assert (delivery.outcome, delivery.cause) == (Outcome.DELIVERY_FAILED, cause)
    assert delivery.hint
    assert "None" not in delivery.message


@pytest.mark.parametrize(("final", "cause"), _TROUBLES)
def test_an_error_whose_turns_were_not_printed_is_certain_only_if_it_meets_the_first_request(
    final: object, cause: Cause
) -> None:
    at_once = cause in {Cause.LOGIN, Cause.CREDIT, Cause.MODEL}
    delivery = verdict(final)
    assert delivery.cause is cause
    assert delivery.outcome is (Outcome.DELIVERY_FAILED if at_once else Outcome.UNKNOWN)


@pytest.mark.parametrize(("final", "cause"), _TROUBLES)
def test_an_error_after_the_call_leaves_it_open(final: object, cause: Cause) -> None:
    delivery = verdict(INIT, called(), answered(), final, exit_code=1)
    assert delivery.outcome is Outcome.UNKNOWN
    assert delivery.hint == "Look at the receiving session before you send it again."
    assert cause  # what it was is in the sentence


def test_a_time_out_while_the_api_fails_names_both() -> None:
    retry = {"type": "system", "subtype": "api_retry", "error_status": 529, "error": "overloaded_error"}
    delivery = verdict(INIT, retry, end=CourierEnd.TIMED_OUT, exit_code=None)
    assert delivery.cause is Cause.OVERLOAD
    assert "30 seconds" in delivery.message
    assert "overloaded_error" in delivery.message

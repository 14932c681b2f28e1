"""Messages that cross more than one widget. Each says what happened; none says what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from tui.domain.courier_stream import Stage
    from tui.domain.delivery import Delivery
    from tui.domain.drafts import PeerProcess
    from tui.domain.inbound import InboundPolicy, InboundSettings, SettingsError
    from tui.domain.peers import Peer
    from tui.domain.roster import Roster


class RosterChanged(Message):
    """The registry was looked at and holds this now. A later one makes an earlier one void."""

    def __init__(self, roster: Roster) -> None:
        super().__init__()
        self.roster = roster

    def can_replace(self, message: Message) -> bool:
        """Whether `message`, which waits to be handled, is void."""
        return isinstance(message, RosterChanged)


class Submitted(Message):
    """The user sent a text to a peer as it was shown."""

    def __init__(self, peer: Peer, text: str) -> None:
        super().__init__()
        self.peer = peer
        self.text = text


class Cancelled(Message):
    """The user called the courier to this process back."""

    def __init__(self, process: PeerProcess) -> None:
        super().__init__()
        self.process = process


class StageReached(Message):
    """The courier to this process got further."""

    def __init__(self, process: PeerProcess, stage: Stage) -> None:
        super().__init__()
        self.process = process
        self.stage = stage


class DeliveryEnded(Message):
    """It is known what became of the letter to this process."""

    def __init__(self, process: PeerProcess, delivery: Delivery) -> None:
        super().__init__()
        self.process = process
        self.delivery = delivery


class OutcomeSeen(Message):
    """The user wrote on after the outcome was shown, so it need not be shown any more."""

    def __init__(self, process: PeerProcess) -> None:
        super().__init__()
        self.process = process


class PolicyChosen(Message):
    """The user chose an inbound policy while the file was at `revision`; None where it could not be read."""

    def __init__(self, policy: InboundPolicy | None, revision: str | None) -> None:
        super().__init__()
        self.policy = policy
        self.revision = revision


class SettingsWanted(Message):
    """What the settings file says now is to be shown."""


class SettingsRead(Message):
    """The settings file says this now, or could not be read."""

    def __init__(self, found: InboundSettings | SettingsError) -> None:
        super().__init__()
        self.found = found


class PolicyWritten(Message):
    """The chosen policy was written; the file, read again, says this."""

    def __init__(self, settings: InboundSettings) -> None:
        super().__init__()
        self.settings = settings


class PolicyNotWritten(Message):
    """The chosen policy was not written."""

    def __init__(
        self, policy: InboundPolicy | None, error: SettingsError, found: InboundSettings | SettingsError
    ) -> None:
        super().__init__()
        self.policy = policy
        self.error = error
        self.found = found
        """What the file says now."""

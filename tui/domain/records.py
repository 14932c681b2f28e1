"""One registry file's bytes -> a validated record, or a named fault.

The registry's format is undocumented and grows: an unknown key is kept aside, an unknown word is kept as it is, and
a wrong type in an optional field loses that field, not the record.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.alias_generators import to_camel

RECORD_NAME: Final = re.compile(r"[1-9][0-9]*\.json", re.ASCII)
"""A record's file name. Keys, temporary files, legacy `pid-N.json` and sync copies lie beside it and are none."""

RECORD_BYTES: Final = 262_144
"""The most that Claude Code's own reader reads of one record, in bytes."""

_LAST_EPOCH_MS: Final = 253_402_300_799_999  # the last millisecond of the year 9999
_LAST_PID: Final = 2**31 - 1
_BOM: Final = b"\xef\xbb\xbf"


class FaultReason(StrEnum):
    """Why a file of the registry directory is not a record. Stable spellings."""

    NAME = "name"
    """A `.json` file whose name is not a process id."""
    NOT_A_FILE = "not_a_file"
    """A directory, FIFO, socket or device where a record's file would be."""
    UNREADABLE = "unreadable"
    """The operating system refused the read."""
    TOO_LARGE = "too_large"
    """Larger than `RECORD_BYTES`."""
    NOT_JSON = "not_json"
    """Torn, binary or otherwise not JSON."""
    NOT_AN_OBJECT = "not_an_object"
    """JSON, but not an object."""
    BAD_PID = "bad_pid"
    """`pid` is missing or no possible process id."""
    PID_MISMATCH = "pid_mismatch"
    """The body's `pid` is not the one in the file's name."""
    NO_SESSION = "no_session"
    """`sessionId` is missing, empty or no text."""


@dataclass(frozen=True, slots=True)
class RegistryFault:
    """A file in the registry directory that cannot be used, named so that it can be listed."""

    file: str
    """The file's name, as untrusted text."""
    reason: FaultReason
    message: str
    """A sentence about it. It may quote the file and is untrusted text."""


def _or_lost(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    try:
        return validate(value)
    except ValidationError:
        return None


type_or_lost = WrapValidator(_or_lost)
_EpochMs = Annotated[StrictInt, Field(ge=0, le=_LAST_EPOCH_MS)]
Text = Annotated[StrictStr | None, type_or_lost]
EpochMs = Annotated[_EpochMs | None, type_or_lost]
Flag = Annotated[StrictBool | None, type_or_lost]


class RegistryRecord(BaseModel):
    """One session as its process describes itself in `<config dir>/sessions/<pid>.json`.

    The keys are Claude Code's own, seen with version 2.1.328; those not named here are in `model_extra`.
    """

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel)

    pid: Annotated[StrictInt, Field(ge=1, le=_LAST_PID)]
    session_id: Annotated[StrictStr, Field(min_length=1)]
    """Joins the transcript. `/clear` gives the same process another one."""
    name: Text = None
    """Display name, which is also the address."""
    status: Text = None
    """`busy`, `shell`, `waiting`, `idle`, a word of a newer version, or nothing. Written on change only."""
    waiting_for: Text = None
    kind: Text = None
    """`interactive`, `bg`, `daemon`, `daemon-worker`, …"""
    entrypoint: Text = None
    """`cli`, `sdk-cli` for `claude -p`, `claude-vscode`, …"""
    cwd: Text = None
    version: Text = None
    started_at: EpochMs = None
    """Epoch milliseconds, like the two below."""
    updated_at: EpochMs = None
    status_updated_at: EpochMs = None
    proc_start: Text = None
    """When the process started, in the platform's own spelling; guards against a reused pid."""
    pid_domain: Text = None
    """The pid space that `pid` belongs to; absent before about version 2.1.260."""
    messaging_socket_path: Text = None
    """The inbox."""
    job_id: Text = None
    parked_job_id: Text = None
    """The background job that this window handed its session to."""
    spare: Flag = None
    """A pre-warmed worker that holds no session."""


def parse_record(file: str, data: bytes) -> RegistryRecord | RegistryFault:
    """Validate the bytes of the record file named `file` (`<pid>.json`)."""
    if len(data) > RECORD_BYTES:
        return RegistryFault(file, FaultReason.TOO_LARGE, f"larger than {RECORD_BYTES} bytes")
    try:
        body = json.loads(data.removeprefix(_BOM).decode())
    except (ValueError, RecursionError) as error:
        # RecursionError is deep nesting; a ValueError that is no JSONDecodeError is a number of thousands of digits.
        return RegistryFault(file, FaultReason.NOT_JSON, f"not a JSON document: {error}")
    if not isinstance(body, dict):
        return RegistryFault(file, FaultReason.NOT_AN_OBJECT, "JSON, but not an object")
    try:
        record = RegistryRecord.model_validate(body)
    except ValidationError as error:
        return _required_field_fault(file, {str(detail["loc"][0]) for detail in error.errors() if detail["loc"]})
    if f"{record.pid}.json" != file:
        return RegistryFault(file, FaultReason.PID_MISMATCH, f"its pid is {record.pid}")
    return record


def _required_field_fault(file: str, fields: set[str]) -> RegistryFault:
    if "pid" in fields:
        return RegistryFault(file, FaultReason.BAD_PID, "its pid is missing or not a process id")
    return RegistryFault(file, FaultReason.NO_SESSION, "it names no session")

"""One registry file's bytes -> a validated record, or a named fault.

The registry's format is undocumented and grows: an unknown key is kept aside, an unknown word is kept as it is, and
a wrong type in an optional field loses that field, not the record.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

# pydantic's core without its model classes, whose import alone takes longer than all else that `list` does.
from pydantic_core import SchemaValidator, ValidationError, core_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

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


@dataclass(frozen=True, slots=True)
class RegistryRecord:
    """One session as its process describes itself in `<config dir>/sessions/<pid>.json`.

    The keys are Claude Code's own, in camel case there, as seen with version 2.1.328.
    """

    pid: int
    session_id: str
    """Joins the transcript. `/clear` gives the same process another one."""
    name: str | None = None
    """Display name, which is also the address."""
    name_source: str | None = None
    """`user`, `derived`, `collision` (the newcomer of two equal names got another one), …"""
    status: str | None = None
    """`busy`, `shell`, `waiting`, `idle`, a word of a newer version, or nothing. Written on change only."""
    waiting_for: str | None = None
    kind: str | None = None
    """`interactive`, `bg`, `daemon`, `daemon-worker`, …"""
    entrypoint: str | None = None
    """`cli`, `sdk-cli` for `claude -p`, `claude-vscode`, …"""
    cwd: str | None = None
    version: str | None = None
    started_at: int | None = None
    """Epoch milliseconds, like the two below."""
    updated_at: int | None = None
    status_updated_at: int | None = None
    proc_start: str | None = None
    """When the process started, in the platform's own spelling; guards against a reused pid."""
    pid_domain: str | None = None
    """The pid space that `pid` belongs to; absent before about version 2.1.260."""
    messaging_socket_path: str | None = None
    """The inbox."""
    job_id: str | None = None
    parked_job_id: str | None = None
    """The background job that this window handed its session to."""
    spare: bool | None = None
    """A pre-warmed worker that holds no session."""
    others: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The keys that are not named here."""


def _or_lost(schema: core_schema.CoreSchema) -> core_schema.CoreSchema:
    """Take None where the value does not fit: a wrong type in an optional field loses that field only."""
    return core_schema.with_default_schema(schema, default=None, on_error="default")


# Unlike `str_schema`, this takes the half of an emoji that is left where a JavaScript program cut a text short.
_TEXT: Final = _or_lost(core_schema.is_instance_schema(str))
_EPOCH_MS: Final = _or_lost(core_schema.int_schema(strict=True, ge=0, le=_LAST_EPOCH_MS))
_FLAG: Final = _or_lost(core_schema.bool_schema(strict=True))

_FIELDS: Final = {
    "pid": core_schema.int_schema(strict=True, ge=1, le=_LAST_PID),
    "session_id": core_schema.str_schema(strict=True, min_length=1),
    "name": _TEXT,
    "name_source": _TEXT,
    "status": _TEXT,
    "waiting_for": _TEXT,
    "kind": _TEXT,
    "entrypoint": _TEXT,
    "cwd": _TEXT,
    "version": _TEXT,
    "started_at": _EPOCH_MS,
    "updated_at": _EPOCH_MS,
    "status_updated_at": _EPOCH_MS,
    "proc_start": _TEXT,
    "pid_domain": _TEXT,
    "messaging_socket_path": _TEXT,
    "job_id": _TEXT,
    "parked_job_id": _TEXT,
    "spare": _FLAG,
}


def _key(name: str) -> str:
    """Return the registry's spelling of a field's name."""
    head, *tail = name.split("_")
    return head + "".join(word.capitalize() for word in tail)


_KEYS: Final = frozenset(map(_key, _FIELDS))
_VALIDATOR: Final = SchemaValidator(
    core_schema.typed_dict_schema(
        {
            name: core_schema.typed_dict_field(
                schema, validation_alias=_key(name), required=name in {"pid", "session_id"}
            )
            for name, schema in _FIELDS.items()
        }
    )
)


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
        fields = _VALIDATOR.validate_python(body)
    except ValidationError as error:
        return _required_field_fault(file, {str(detail["loc"][0]) for detail in error.errors() if detail["loc"]})
    if f"{fields['pid']}.json" != file:
        return RegistryFault(file, FaultReason.PID_MISMATCH, f"its pid is {fields['pid']}")
    return RegistryRecord(**fields, others={key: value for key, value in body.items() if key not in _KEYS})


def _required_field_fault(file: str, fields: set[str]) -> RegistryFault:
    if "pid" in fields:
        return RegistryFault(file, FaultReason.BAD_PID, "its pid is missing or not a process id")
    return RegistryFault(file, FaultReason.NO_SESSION, "it names no session")

"""JSON texts in every formatting, for properties: each is sound, none was written by a serialiser."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

DOTFILE: Final = """{
\t"permissions": {"allow": ["Bash(git status)", "Read"],
\t\t"deny":[ ]},
\t"url":"https:\\/\\/x",
\t"numbers" : [1.10, 1e5, 1e400, -0, 1234567890123456789012345],
\t"names": ["\\u00e9", "é", "\\ud83d"],
\t"crossSessionInbound": "hold",
\t"theme": "dark"
}"""
"""A settings file as people keep it: tabs, one-line arrays, and spellings that no serialiser would keep."""
BOM: Final = "\ufeff"
SPACES: Final = ("", " ", "\n", "\r\n", "\t", "\n  ", "\r\n\t", "\r", "\n\n    ", " \t\n \r")
STRING_TEXTS: Final = (
    r'""',
    r'"\"\\\/"',
    r'"\b\n\u00e9\u0000"',
    r'"\ud83d"',
    '"é漢\U0001f600"',
    '"}],:"',
    '"a"',
    '"b"',
)
NUMBER_TEXTS: Final = ("0", "1.10", "1e5", "1e400", "-0", "1E-07", "1234567890123456789012345", "9" * 5000)
NESTED_TEXTS: Final = (
    "[]",
    "[ 1.10 ,\n[-0 ] ]",
    "{}",
    '{"a":\t{ "crossSessionInbound":"hold"} , "a":1e5\r}',
    '[ "}" ,null]',
)

VALUES = st.sampled_from((*STRING_TEXTS, *NUMBER_TEXTS, *NESTED_TEXTS, "true", "false", "null"))
KEYS = st.sampled_from(STRING_TEXTS)
_SPACE = st.sampled_from(SPACES)


def spelled(word: str) -> st.SearchStrategy[str]:
    """The string `word` with some of its characters spelled as escapes."""

    def spell(escaped: frozenset[int]) -> str:
        letters = (f"\\u{ord(letter):04x}" if at in escaped else letter for at, letter in enumerate(word))
        return f'"{"".join(letters)}"'

    return st.frozensets(st.integers(0, len(word) - 1), max_size=3).map(spell)


def documents(keys: st.SearchStrategy[str] = KEYS) -> st.SearchStrategy[str]:
    """Whole documents: an object spaced anyhow, keys perhaps repeated, perhaps after a byte order mark."""
    member = st.tuples(_SPACE, keys, _SPACE, st.just(":"), _SPACE, VALUES, _SPACE).map("".join)
    inside = st.lists(member, min_size=1, max_size=4).map(",".join) | _SPACE
    head, tail = (
        st.sampled_from(("{", f"{BOM}{{", "\n{", f"{BOM} {{")),
        st.sampled_from(("}", "}\n", "}\r\n", "} \n\n")),
    )
    return st.tuples(head, inside, tail).map("".join)

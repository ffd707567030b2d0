"""The passages of MultiSpanQA: each question of the file has one, written as tokens.

The page of a passage has the id of its question, so that the retriever `own` finds it. `joined` makes a text
of tokens; `rollcall.questions.formats.multispanqa` reads the questions of the same file.
"""

import re
from codecs import BOM_UTF8 as UTF_8_MARK
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import msgspec

from rollcall.corpus.corpus import Content
from rollcall.corpus.shard import CorpusShard, PageRecord
from rollcall.corpus.source import RowSource, SourceFindings, TextSourceContext
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.input_files.file_source import FileHead
from rollcall.input_files.input_file import InputFile, Intact, Tally, without_mark
from rollcall.input_files.rows import elements

_DATA = re.compile(rb'\A\s*\{[^\[]{0,200}"data"\s*:\s*(?=\[)')
_RECORD = re.compile(rb'"context"\s*:\s*\[\s*"')

# Tokens as the Penn Treebank writes them.

_WRITTEN = {
    "``": "“", "''": "”", "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "--": "–",
}  # fmt: skip
_CLOSES = frozenset((",", ".", ";", ":", "!", "?", ")", "]", "}", "”", "%", "...", "…"))
_OPENS = frozenset(("(", "[", "{", "“", "$", "£", "€", "#"))
_TIES = frozenset(("-", "–", "/"))
_SUFFIX = re.compile(r"(?:['’](?:s|re|ve|ll|d|m)?|n['’]t)\Z", re.IGNORECASE)


class JoinedTokens(NamedTuple):
    """A text, and where each token stands in it."""

    text: str
    places: list[tuple[int, int]]


def joined(tokens: Sequence[str]) -> JoinedTokens:
    """The text of some tokens, with spaces where English has them."""
    text, places, tied, quoted = "", [], True, False
    for token in tokens:
        word = _WRITTEN.get(token, token)
        closes = word in _CLOSES or word in _TIES or _SUFFIX.match(word) is not None
        if word == '"':
            closes, quoted = quoted, not quoted
        text += "" if tied or closes else " "
        places.append((len(text), len(text) + len(word)))
        text += word
        tied = word in _OPENS or word in _TIES or (word == '"' and quoted)
    return JoinedTokens(text, places)


class _PassageLine(msgspec.Struct):
    id: str | int
    context: list[str]


@TEXT_SOURCES.register("multispanqa")
class MultiSpanPassages(RowSource):
    """The passages of MultiSpanQA's files, each a page with the id of its question."""

    expects = 'a JSON object with "data", a list of records with id and context'
    entry_name = "record"

    def __init__(self, start: int) -> None:
        self.start = start

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return (
            _DATA.match(head.content.removeprefix(UTF_8_MARK)) is not None
            and _RECORD.search(head.content) is not None
        )

    @classmethod
    def open(cls, options: msgspec.Struct, context: TextSourceContext) -> Self:
        match = _DATA.match(context.head.content.removeprefix(UTF_8_MARK))
        return cls(match.end() if match is not None else 0)

    def lines(self, stream: Intact, file: InputFile, tally: Tally) -> Iterator[bytes]:
        for line, value, problem in elements(without_mark(stream), self.start):
            if problem or not isinstance(value, dict):
                tally.entries += 1
                tally.add_bad(line, "unreadable record", problem or "no object")
            else:
                yield msgspec.json.encode({key: value.get(key) for key in ("id", "context")}) + b"\n"
        stream.report(tally)

    def read_entry(self, entry: bytes, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        record = msgspec.json.decode(entry, type=_PassageLine)
        id_ = str(record.id)
        shard.add_page(PageRecord(id_, id_, Content(text=joined(record.context).text), None))

"""Text sources: the kinds of files that a corpus is read from. To add one, write one class.

A source declares how its files are recognised, which options it has, and where an entry of a file ends.
Rollcall does the rest: worker processes, recording bad entries, and resuming after a stop.
"""

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import msgspec

from rollcall._core.checksums import sha256
from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall.corpus.corpus import Content
from rollcall.corpus.shard import CorpusShard
from rollcall.corpus.wikitext.templates import load_rules
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.input_file import InputFile, Intact, Tally, explain

# The results of reading a block: pages, bad entries, repaired markup, templates without a rule.

KEPT_TEMPLATES = 200
"""The number of most common unknown templates that are kept for a block."""


class SourceFindings(msgspec.Struct):
    """Counts of one block, or of all blocks of a source added up.

    `tally` counts the entries that could not be read; `mended` counts broken markup that was repaired, which
    never stops a run.
    """

    tally: Tally = msgspec.field(default_factory=Tally)
    mended: Tally = msgspec.field(default_factory=Tally)
    unknown_templates: dict[str, int] = {}
    dropped_sentences: int = 0
    unwrapped: int = 0
    """Of how many pages lines that were broken at a width were joined."""

    def keep_commonest(self) -> None:
        """Drop rare templates, so that memory use does not grow with the dump."""
        ranked = sorted(self.unknown_templates.items(), key=lambda item: (-item[1], item[0]))
        self.unknown_templates = dict(ranked[:KEPT_TEMPLATES])

    def add(self, block: "SourceFindings", source: str = "") -> None:
        self.mended.lines = self.tally.lines
        block.mended.lines = block.tally.lines
        self.tally.add(block.tally, source)
        self.mended.add(block.mended, source)
        self.unknown_templates = dict(Counter(self.unknown_templates) + Counter(block.unknown_templates))
        if len(self.unknown_templates) > 10 * KEPT_TEMPLATES:
            self.keep_commonest()
        self.dropped_sentences += block.dropped_sentences
        self.unwrapped += block.unwrapped


def note_problems(findings: SourceFindings, content: Content, line: int, title: str) -> None:
    """Count the repairs on a page, and the templates without a rule."""
    for problem in dict.fromkeys(content.problems):
        findings.mended.add_bad(line, problem, title)
    unknown = findings.unknown_templates
    for name, count in content.unknown_templates.items():
        unknown[name] = unknown.get(name, 0) + count


class TextSourceContext(NamedTuple):
    """The context for opening a source: the beginning of the file."""

    head: FileHead


class TextSource(FileSource):
    """A file of pages. It is cut where entries end, and the parts are read in several processes.

    The public attributes of simple types of an opened object must include everything that affects how an
    entry is read: they are compared when an interrupted run is resumed.
    """

    entry_end: ClassVar[bytes] = b"\n"
    """The bytes at the end of every entry; a file is cut only there."""
    entry_name: ClassVar[str] = "line"
    """The word for entries in messages about bad ones."""

    def read(self, block: bytes, shard: CorpusShard, findings: SourceFindings) -> None:
        """Add the content of a block of whole entries."""
        line = 1
        for entry in block.split(self.entry_end):
            if entry and not entry.isspace():
                findings.tally.entries += 1
                mark = shard.mark()
                try:
                    self.read_entry(entry, shard, findings, line)
                except Exception as error:  # any error in one entry affects only that entry
                    shard.restore(mark)
                    findings.tally.add_bad(line, f"unreadable {self.entry_name}", explain(error))
            line += entry.count(b"\n") + self.entry_end.count(b"\n")
        findings.tally.lines = block.count(b"\n")

    def read_entry(self, entry: bytes, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        """Add the page of an entry, by `shard.add_page`; an exception marks the entry as bad."""
        raise NotImplementedError(f"{type(self).__name__} has neither read_entry nor read")


class RowSource(TextSource):
    """A file that cannot be cut: one process reads it to its end, and hands its rows on as lines."""

    @abstractmethod
    def lines(self, stream: Intact, file: InputFile, tally: Tally) -> Iterator[bytes]:
        """The rows as entries of the source, from the decompressed stream of the file or from its path.

        What cannot be read is added to the tally.
        """


# Which keys of a record hold the id, the title and the text of a page: those given, or the usual ones.
# Pyserini calls the text `contents`, BEIR the id `_id`, and tables call them what people like; all are
# read into the same page.

_USUAL: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "contents", "content", "body", "passage", "full_text", "fulltext", "article", "document",
             "abstract", "paragraph"),
    "title": ("title", "page_title", "headline", "heading", "name"),
    "id": ("id", "_id", "docid", "doc_id", "document_id", "docno", "pid", "passage_id", "page_id"),
}  # fmt: skip
"""What the parts of a page are called, best first."""
TEXT_KEYS = _USUAL["text"]
TITLED = "contents"
"""The key of Pyserini's text, which begins with the title if there is no key of its own for it."""


Unwrap = Literal["auto", "yes", "no"]


class PageOptions(msgspec.Struct, frozen=True):
    columns: str = ""
    """Which columns or keys hold what: text=body,title=headline,id=number."""
    unwrap: Unwrap = "auto"
    """Whether lines that are broken at a width are joined; auto looks whether the texts are."""


class PageLayout(msgspec.Struct, frozen=True):
    """For each part of a page, the key that holds it."""

    keys: tuple[tuple[str, str], ...]
    remark: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the keys are our own names."""
        return all(ours == theirs for ours, theirs in self.keys)

    def page(self, record: Mapping[str, object]) -> dict[str, object]:
        """The record of a page with our own names for its keys; others are left out unless they are ours."""
        renamed = dict(self.keys)
        used_keys = set(renamed.values())
        page = {key: value for key, value in record.items() if key not in used_keys and key in _OWN}
        page.update({ours: record.get(theirs) for ours, theirs in renamed.items()})
        if renamed["text"] == TITLED and "title" not in renamed:
            page["title"], page["text"] = _title_of(str(page["text"] or ""))
        if isinstance(page.get("title"), int | float):
            page["title"] = str(page["title"])
        return {key: value for key, value in page.items() if value is not None}


_OWN = ("entity", "links", "tables")


def page_layout(keys: Iterable[str], columns: str = "") -> PageLayout | RollcallError:
    """How records with these keys are read as pages, or why they cannot be."""
    present = [key.strip().strip("\ufeff") for key in keys]
    key_of = _keys_by_role(present, columns) if columns.strip() else {}
    if isinstance(key_of, RollcallError):
        return key_of
    folded = {key.lower(): key for key in reversed(present)}
    for ours, usual in _USUAL.items():
        if ours not in key_of:
            name = next((folded[name] for name in usual if name in folded), None)
            if name is not None and name not in key_of.values():
                key_of[ours] = name
    shown = ", ".join(key[:40] for key in present[:12])
    if "text" not in key_of:
        return RollcallError(
            f"has {shown}, of which none is known to hold the text; --columns text=COLUMN says which does, "
            "and title=COLUMN and id=COLUMN what else there is"
        )
    guessed = [f"{theirs} as {ours}" for ours, theirs in key_of.items() if ours != theirs]
    remark = f"read {', '.join(guessed)}; --columns says otherwise" if guessed and not columns else ""
    return PageLayout(tuple(sorted(key_of.items())), remark)


def _keys_by_role(present: list[str], columns: str) -> dict[str, str] | RollcallError:
    folded = {key.lower(): key for key in reversed(present)}
    key_of: dict[str, str] = {}
    for part in columns.split(","):
        ours, separator, theirs = (word.strip() for word in part.partition("="))
        if not separator or ours.lower() not in (*_USUAL, "entity"):
            return RollcallError(
                f"--columns {part.strip()}: write text=COLUMN, title=COLUMN, id=COLUMN or entity=COLUMN"
            )
        if theirs.lower() not in folded:
            return RollcallError(
                f"has no column {theirs}, which --columns names, but {', '.join(present[:12])}"
            )
        key_of[ours.lower()] = folded[theirs.lower()]
    return key_of


def _title_of(text: str) -> tuple[str | None, str]:
    """The title in the first line of a text, if there is one, and the rest."""
    first, _, rest = text.strip().partition("\n")
    title = first.strip().strip('"')
    if not rest.strip() or len(title) > 200 or title.endswith((".", "!", "?", ",", ";", ":")):
        return None, text
    return title, rest.strip()


# The keys of the first line of JSON, by which JSON lines files are recognised.

_KEYS = ("article_body", "page", "rows", "title", "id", "_id", *TEXT_KEYS)
_LONG_LINE = re.compile(rb'"(%s)"\s*:' % "|".join(_KEYS).encode())


def first_keys(head: FileHead) -> set[str]:
    """The keys of the object in the first line; none if the line is not an object."""
    line = head.first_line
    if not line.startswith(b"{"):
        return set()
    try:
        decoded: object = msgspec.json.decode(line)
    except UNREADABLE:  # longer than the part that was read
        return {key.decode() for key in _LONG_LINE.findall(line)}
    return set(decoded) if isinstance(decoded, dict) else set()


# The options of the sources that hold wikitext.


class WikitextOptions(msgspec.Struct, frozen=True):
    templates: str = ""
    """A TOML file with additional rules for the text that templates show."""


def check_templates(templates: str) -> str:
    """The hash of a rule file after it was checked; empty if there is no file."""
    if not templates:
        return ""
    path = Path(templates)
    load_rules(path)
    return sha256(path)

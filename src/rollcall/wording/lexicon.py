"""The lexicon: every relation's entry, from the package's YAML files and the user's own.

A relation is looked up by id, else by a label or alias that only one entry has, else worded from its label
alone. A user's file adds entries or changes fields of existing ones; every error is reported with its file
and line.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Self

from rollcall.corpus.lists import MEMBERSHIP, parse_column
from rollcall.english.folding import fold
from rollcall.english.nouns import is_person
from rollcall.english.word_lists import read_list
from rollcall.wording.class_nouns import ClassNoun, class_noun
from rollcall.wording.entry import VALUE_NOUNS, Entry
from rollcall.wording.entry_file import Fields, entry_of, read_entries
from rollcall.wording.generic import Ends, generic_entry
from rollcall.wording.heads import head_of, kind_above
from rollcall.wording.label_words import words_of_label


class Lexicon:
    """Words for relations and classes."""

    def __init__(self, entries: Mapping[str, Entry]):
        self._entries = dict(entries)
        self._by_label: dict[str, set[str]] = {}
        for id_, entry in self._entries.items():
            for name in (entry.label, *entry.aliases) if entry.by_label else ():
                self._by_label.setdefault(fold(name), set()).add(id_)
        self._made: dict[tuple[str, str | None, Ends | None], Entry] = {}

    @classmethod
    def load(cls, *paths: Path | str) -> Self:
        """The package's lexicon, changed by the user's files; later files override earlier ones."""
        fields: dict[str, Fields] = dict(_packaged())
        for path in paths:
            for id_, given in read_entries(Path(path)).items():
                fields[id_] = fields[id_].changed(given) if id_ in fields else given
        return cls({id_: entry_of(id_, given) for id_, given in fields.items()})

    def __contains__(self, relation: str) -> bool:
        return relation in self._entries

    def entry(self, relation: str, label: str | None = None, ends: Ends | None = None) -> Entry:
        """The words of a relation: its own entry, that of its label, or one made of label and `ends`."""
        if (own := self._entries.get(relation)) is not None:
            return own
        key = (relation, label, ends)
        if key not in self._made:
            self._made[key] = self._make(relation, label, ends)
        return self._made[key]

    def relations(self, use: str | None = None) -> tuple[str, ...]:
        """The ids of all entries, or of those for a use (`simple`, `composition`), in order of id."""
        chosen = (id_ for id_, entry in self._entries.items() if use is None or use in entry.use)
        return tuple(sorted(chosen, key=lambda id_: (len(id_), id_)))

    def class_noun(self, label: str, id_: str = "") -> ClassNoun:
        """The noun for members of a class."""
        return class_noun(label, id_)

    def type_id(self, label: str) -> str | None:
        """Wikidata's id of a class named in an entry's `types`, if it is known."""
        return _type_ids().get(label)

    def _make(self, relation: str, label: str | None, ends: Ends | None) -> Entry:
        if relation == MEMBERSHIP:
            return Entry(
                relation, relation, "list", "is [one of|among] {object}", objects="list", generic=True
            )
        column = parse_column(relation)
        name = column.header if column else (label or relation)
        lowered = name if column is None else " ".join(map(_lowered, name.split()))
        found = self._by_label.get(fold(name)) or self._by_label.get(fold(words_of_label(name)), set())
        own = self._entries[next(iter(found))] if len(found) == 1 else None
        if own is not None and _fits(own, ends) and not _says_more(own, name, ends):
            vague = ends is None or ends.subjects in ("", "person or thing")
            subjects = own.subjects if vague or ends is None else ends.subjects
            return replace(own, id=relation, heading=lowered, subjects=subjects)
        if column is not None and not (ends and ends.subjects):
            ends = Ends("thing")  # a list says what its members are
        return generic_entry(relation, lowered, ends)


def _fits(entry: Entry, ends: Ends | None) -> bool:
    """Whether an entry found by its label alone is about what the graph has at the relation's ends."""
    if ends is None:
        return True
    values = ends.objects in VALUE_NOUNS
    if ends.objects and values != entry.is_literal:
        return False
    known = (
        [(entry.subjects, ends.subjects)]
        if values
        else [*zip((entry.subjects, entry.objects), ends, strict=True)]
    )
    return all(_may_meet(expected, there) for expected, there in known)


def _says_more(entry: Entry, name: str, ends: Ends | None) -> bool:
    """Whether an entry says who acts, and neither its alias (`made by`) nor the graph does.

    `Which companies manufactured A` would be wrong of what people made.
    """
    if ends is None or fold(name) == fold(entry.label) or not words_of_label(name).lower().endswith(" by"):
        return False
    expected = head_of(entry.objects)
    confirmed = entry.objects in (ends.objects, kind_above(ends.objects))
    return expected.is_specific and not expected.person and not confirmed


def _may_meet(expected: str, there: str) -> bool:
    """Whether a noun of the lexicon and one of the graph may be of the same things."""
    if not there or "thing" in (expected, there) or "person or thing" in (expected, there):
        return True
    return is_person(expected) == is_person(there)


def _lowered(word: str) -> str:
    """A word of a column's heading as in running text: `City` becomes `city`, `NBA` is unchanged."""
    return word.lower() if word.partition("'")[0].istitle() else word


@cache
def _type_ids() -> dict[str, str]:
    pairs = (line.partition(" = ") for line in read_list(Path(__file__).with_name("type_ids.txt")))
    return {label: id_ for label, _, id_ in pairs}


@cache
def _packaged() -> dict[str, Fields]:
    """The fields of the package's own entries, by id."""
    found: dict[str, Fields] = {}
    folder = resources.files("rollcall.wording") / "relations"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".yaml"):
            with resources.as_file(file) as path:
                found |= read_entries(path, known=found)
    return found

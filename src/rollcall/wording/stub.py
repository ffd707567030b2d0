"""The text of a lexicon file for people to correct: an entry for each relation, with examples above it.

Every entry is a block of lines: comments with examples and with the questions that its words give now, then
the entry. So a block that nobody has changed can be recognised by its text.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rollcall.wording.entry import Entry
from rollcall.wording.entry_file import read_entries
from rollcall.yaml_tree import quoted

HEADER = """\
# Words for the relations of a graph. Correct what reads badly, and leave out what reads well.
# A build uses the file with --set wording.lexicon=FILE; Lexicon.load("FILE") reads it in Python.
#
# forward says it of the subject and begins with the verb, in the third person: "was directed by {object}".
# backward says it of the object: "directed {subject}"; without it, the noun does: "a director of {subject}".
# subjects and objects are what the ends are: person, film, thing, person or thing; of values date, number,
# quantity or text. use: [] leaves the relation out of questions.
"""
_PLAIN_TEXT = re.compile(r"[A-Za-z][\w .()’-]*")
_YAML_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"))


class Known(NamedTuple):
    """What a graph says about a relation."""

    entry: Entry
    facts: int
    examples: Sequence[str]
    questions: Sequence[str]


def fields_of(entry: Entry) -> dict[str, str]:
    """The fields of an entry that a person may want to change."""
    given = {
        "label": entry.label,
        "noun": entry.noun,
        "plural": entry.plural_noun,
        "forward": entry.forward,
        "backward": entry.backward,
        "subjects": entry.subjects,
        "objects": entry.objects,
    }
    return {name: text for name, text in given.items() if text or name == "noun"}


def block(relation: str, known: Known, fields: Mapping[str, str], remark: str = "") -> str:
    """The lines of one relation."""
    lines = [f"# {known.facts:,} facts: {_one_line('; '.join(known.examples))}"]
    lines += [f"# {_one_line(question)}" for question in known.questions]
    lines += [f"# {_one_line(remark)}"] if remark else []
    lines.append(f"{_scalar(relation)}:")
    lines += [f"  {name}: {_scalar(text)}" for name, text in fields.items()]
    return "\n".join(lines) + "\n"


def blocks_of(path: Path) -> tuple[str, dict[str, str]]:
    """The beginning of a lexicon file, and its text cut into the blocks of its relations."""
    starts = {fields.line: relation for relation, fields in read_entries(path).items()}
    text = path.read_text(encoding="utf-8")
    if not starts:  # nothing but comments
        return text, {}
    lines = text.splitlines()
    found: dict[str, str] = {}
    first = _above(lines, min(starts))
    header = "\n".join(lines[: first - 1]).rstrip()
    places = sorted(starts)
    for place, after in zip(places, [*places[1:], len(lines) + 1], strict=True):
        end = _above(lines, after) if after <= len(lines) else after
        found[starts[place]] = "\n".join(lines[_above(lines, place) - 1 : end - 1]).rstrip() + "\n"
    return (header + "\n" if header else ""), found


def _above(lines: list[str], line: int) -> int:
    """The first of the comment lines directly above a line."""
    while line > 1 and line - 2 < len(lines) and lines[line - 2].startswith("#"):
        line -= 1
    return line


def _one_line(text: str) -> str:
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())


def _scalar(text: str) -> str:
    plain = _PLAIN_TEXT.fullmatch(text) and text.lower() not in _YAML_WORDS and text == text.strip()
    return text if plain else quoted(text)

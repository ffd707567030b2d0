"""The gold of "What's in a Name?": the same single answers with one name each, or with those of a source.

The names of the graph are to the set what Freebase's are in the paper, and those of the pages (titles,
redirects, anchors of links) what Wikipedia's are.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from rollcall.questions import Question, read_questions

GRAPH, PAGES = "graph", "pages"


def questions_of(folder: str, splits: Sequence[str] | None = None) -> list[Question]:
    """The questions of a set, or of some splits."""
    return [one for one in read_questions(Path(folder)) if splits is None or one.split in splits]


def with_one_name(questions: Sequence[Question]) -> list[Question]:
    """The questions with nothing but the labels of their answers."""
    return with_names(questions, {})


def with_names(questions: Sequence[Question], names: Mapping[str, Sequence[str]]) -> list[Question]:
    """The questions whose answers have these names, by their ids."""
    return [
        msgspec.structs.replace(
            one,
            answers=[
                msgspec.structs.replace(answer, aliases=[*names.get(answer.id or "", ())])
                for answer in one.answers
            ],
        )
        for one in questions
    ]


def page_names(corpus: str) -> dict[str, list[str]]:
    """The names that pages give to entities."""
    from rollcall.tables import files
    from rollcall.tables.corpus import TextAliases
    from rollcall.tables.table import file_name

    table = files.read(TextAliases, Path(corpus) / file_name(TextAliases), ("entity", "text"))
    found: dict[str, list[str]] = {}
    for entity, text in zip(table["entity"].to_pylist(), table["text"].to_pylist(), strict=True):
        found.setdefault(entity, []).append(text)
    return {entity: sorted(set(texts)) for entity, texts in found.items()}

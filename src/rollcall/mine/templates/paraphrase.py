"""Entity-level paraphrases: the names by which the corpus calls a topic entity, commonest first.

A form counts for an entity only where it mostly means it, so that a paraphrase asks for the same thing. The
question is said again with the form in the place of the label.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rollcall.corpus import Corpus

MOST = 3
"""So many variants of a sentence at most, the one with the label among them, as in the paper."""


class Form(NamedTuple):
    """A name of an entity and how often it is used for it."""

    text: str
    uses: int


def lexical_forms(corpus: Corpus, entities: Iterable[str], least_share: float = 0.5) -> dict[str, list[Form]]:
    """The names of some entities with their counts, ranked; names that differ in case alone are one."""
    forms = corpus.tables.forms
    wanted = sorted(set(entities))
    rows = forms.filter(forms.entity.isin(wanted) & (forms.share >= least_share)).to_pyarrow().to_pylist()
    grouped: dict[str, dict[str, list[Form]]] = {}
    for row in rows:
        alike = grouped.setdefault(row["entity"], {}).setdefault(row["text"].casefold(), [])
        alike.append(Form(row["text"], row["count"]))
    return {
        entity: sorted((_merged(alike) for alike in names.values()), key=lambda form: (-form.uses, form.text))
        for entity, names in grouped.items()
    }


def _merged(alike: list[Form]) -> Form:
    """Spellings of one name as one form: the commonest, with the counts of all."""
    best = max(alike, key=lambda form: (form.uses, form.text))
    return Form(best.text, sum(form.uses for form in alike))


def entity_variants(
    sentence: str, labels: Mapping[str, str], forms: Mapping[str, list[Form]], most: int = MOST
) -> list[str]:
    """The sentence, and the sentence with forms of its first entity that is named in it exactly once."""
    found = [sentence]
    for entity, label in labels.items():
        place = _only_place(sentence, label)
        if place is None:
            continue
        for form in forms.get(entity, ()):
            said = sentence[: place.start()] + form.text + sentence[place.end() :]
            if form.text.casefold() != label.casefold() and said not in found and len(found) < most:
                found.append(said)
    return found


def _only_place(sentence: str, label: str) -> re.Match[str] | None:
    places = list(re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)", sentence)) if label else []
    return places[0] if len(places) == 1 else None

"""Words that hint at a relation (cues): from the lexicon, and from the relation's own label."""

from collections.abc import Iterable, Mapping

from rollcall.english.function_words import ARTICLES, CONJUNCTIONS, FINITE_BE, PREPOSITIONS, RELATIVES
from rollcall.evidence.verifiers.contrast.masking import words_of
from rollcall.wording import Lexicon

_EMPTY = ARTICLES | PREPOSITIONS | CONJUNCTIONS | FINITE_BE | RELATIVES | {"has", "its", "be", "that"}


def relation_cues(labels: Mapping[str, str], lexicon: Lexicon | None = None) -> dict[str, tuple[str, ...]]:
    """The cues of relations by id, each as lower-case words like those of a masked sentence."""
    lexicon = lexicon or Lexicon.load()
    return {
        relation: _cleaned([*lexicon.entry(relation, label).cues, label, *label.split()])
        for relation, label in labels.items()
    }


def _cleaned(cues: Iterable[str]) -> tuple[str, ...]:
    found = (" ".join(words_of(cue.lower())) for cue in cues)
    return tuple(dict.fromkeys(cue for cue in found if len(cue) > 2 and cue not in _EMPTY))

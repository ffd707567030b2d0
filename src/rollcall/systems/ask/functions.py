"""Functions over what was grown: counts and superlatives, where words of the question ask for them."""

from collections.abc import Iterator, Sequence

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import Numbers
from rollcall.systems.ask.features import adding
from rollcall.systems.ask.forms import Apart, Compared, Form, Function, Hop, Joined, query_of
from rollcall.systems.ask.pieces import Piece
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.relation_mentions import families
from rollcall.systems.ask.relation_phrases import RelationPhrases
from rollcall.systems.ask.signs import Superlative
from rollcall.systems.ask.words import roots_of

_BEST = 12
_LARGEST = 2_000_000
_NAMED = 0.5


class Functions:
    """Applies functions to pieces over one graph."""

    def __init__(self, graph: Graph, phrases: RelationPhrases) -> None:
        self._index, self._phrases = graph.index, phrases
        self._measures = [
            one for one in range(len(phrases.entries)) if self._index.value_dimension(one) is not None
        ]

    def applied(self, reading: Reading, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """Pieces with the functions that the question asks for."""
        for piece in [one for one in pieces if not _has_comparison(one.form)][:_BEST]:
            literal = int(piece.terms[-1]) >= self._index.entity_count
            if reading.kind.counts and not literal:
                yield piece._replace(form=Function("count", piece.form))
            for one in reading.signs.superlatives:
                if one.mask & piece.mask:
                    continue
                if literal:
                    yield from self._extreme_value(piece, one)
                else:
                    yield from self._extreme_by(reading, piece, one)

    def _extreme_value(self, piece: Piece, sign: Superlative) -> Iterator[Piece]:
        form = Function(sign.extreme, piece.form)
        terms = self._terms(form)
        if len(terms):
            yield piece._replace(form=form, terms=terms, mask=piece.mask | sign.mask)

    def _extreme_by(self, reading: Reading, piece: Piece, sign: Superlative) -> Iterator[Piece]:
        if len(piece.terms) > _LARGEST:
            return
        for relation in self._measures:
            match, mask = self._measure(reading, piece, sign, relation)
            if not match:
                continue
            form = Function(f"arg{sign.extreme}", piece.form, relation)
            terms = self._terms(form)
            if len(terms):
                features = adding(piece.features, {"loose match": 1.0 - match, "hop": 1.0})
                yield piece._replace(
                    form=form, terms=terms, features=features, mask=piece.mask | mask | sign.mask
                )

    def _terms(self, form: Form) -> Numbers:
        """The answers of a form; none where the language cannot say it, such as a denial of a denial."""
        try:
            return answer_terms(self._index, query_of(form, self._index))
        except RollcallError:
            return np.empty(0, dtype=self._index.dtype)

    def _measure(self, reading: Reading, piece: Piece, sign: Superlative, relation: int) -> tuple[float, int]:
        """How well a relation measures what a superlative compares, and the words that say so."""
        entry = self._phrases.entries[relation]
        extreme_words = entry.most if sign.extreme == "max" else entry.least
        if extreme_words and sign.word in extreme_words.split():
            return 1.0, 0
        named = [one for one in reading.relations if one.relation == relation and not one.mask & piece.mask]
        best = max(named, key=lambda one: one.match, default=None)
        if best is not None and best.match >= _NAMED:
            return best.match, best.mask
        own = set(roots_of(self._phrases.labels[relation])) | set(roots_of(entry.noun))
        if own & sign.roots:
            return 0.7, 0
        return (0.5, 0) if any(families().get(one, frozenset()) & own for one in sign.roots) else (0.0, 0)


def _has_comparison(form: Form) -> bool:
    """Whether a form compares values already: a query has one function at most."""
    match form:
        case Compared():
            return True
        case Apart(source) | Hop(source, _, _) | Function(_, source, _):
            return _has_comparison(source)
        case Joined(_, left, right):
            return _has_comparison(left) or _has_comparison(right)
    return False

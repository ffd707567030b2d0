"""The parser of `sempre`: builds derivations bottom-up and keeps a beam of the best after each round.

The first round has what single relations lead to. Each further round joins and intersects what the last one
kept. Ties are broken by the words that a derivation covers, so that an untrained model, whose scores are all
zero, prefers what explains more.
"""

from collections.abc import Iterable

from rollcall.systems.ask.forms import Form
from rollcall.systems.ask.learned.weighing import summed, weighed
from rollcall.systems.ask.sempre.derivations import Derivation, RelationPhrase, are_apart
from rollcall.systems.ask.sempre.function_rules import counted, extreme
from rollcall.systems.ask.sempre.ground import Asking, Ground
from rollcall.systems.ask.sempre.joining_rules import bridged, entity, joined
from rollcall.systems.ask.sempre.root_features import root_features
from rollcall.systems.ask.sempre.set_rules import compared, intersected, members

_HOMONYMS = 6
_ENTITIES = 24
_PHRASES = 60
_ROUNDS = 2
_FUNCTIONS = 12
"""Sets to which functions are applied."""


class Parser:
    """Parses questions about one graph."""

    def __init__(self, ground: Ground, beam: int) -> None:
        self._ground, self._beam = ground, beam

    def parses(self, asking: Asking) -> list[Derivation]:
        """The whole parses that were kept, best first; none if no name leads to an answer."""
        reading, ground = asking.reading, self._ground
        phrases = ground.lexicon.find(reading.words, asking.aligned, asking.weights, _PHRASES)
        entities = [
            entity(asking, ground, mention, rank)
            for mention in reading.entities
            for rank in range(min(len(mention.entities), _HOMONYMS))
        ][:_ENTITIES]
        classes = [one for mention in reading.classes for one in members(asking, ground, mention)]
        first = [
            *(one for part in entities for one in bridged(asking, ground, part)),
            *(one for part in entities for phrase in phrases for one in joined(asking, ground, part, phrase)),
        ]
        valued = [
            one for value, mask in reading.values for one in compared(asking, ground, value, mask, phrases)
        ]
        frontier = self._best([*first, *valued], self._beam)
        kept = [*frontier, *classes]
        for _ in range(_ROUNDS):
            frontier = self._best(self._grown(asking, frontier, kept, phrases), self._beam)
            kept += frontier
        whole = [*kept, *self._functions(asking, kept)]
        return self._best((self._finished(asking, one) for one in whole), 4 * self._beam)

    def _grown(
        self,
        asking: Asking,
        frontier: list[Derivation],
        partners: list[Derivation],
        phrases: list[RelationPhrase],
    ) -> Iterable[Derivation]:
        for part in frontier:
            for phrase in phrases:
                if not phrase.mask & part.mask:
                    yield from joined(asking, self._ground, part, phrase)
            for other in partners:
                if are_apart(part, other) and part.form != other.form:
                    both = intersected(asking, part, other)
                    if both is not None:
                        yield both

    def _functions(self, asking: Asking, kept: list[Derivation]) -> Iterable[Derivation]:
        signs = asking.reading.signs.superlatives
        if not signs and not asking.reading.kind.counts:
            return
        best = sorted(kept, key=_rank)
        for part in best:
            yield from counted(asking, self._ground, part)
        for part in best[:_FUNCTIONS] if signs else ():
            for sign in signs:
                yield from extreme(asking, self._ground, part, sign)

    def _finished(self, asking: Asking, part: Derivation) -> Derivation:
        added = root_features(asking, self._ground.index, part)
        return part._replace(
            features=summed(part.features, added), score=part.score + weighed(added, asking.weights)
        )

    def _best(self, parts: Iterable[Derivation], most: int) -> list[Derivation]:
        """The best derivations; of those with the same form the best one alone."""
        found: dict[Form, Derivation] = {}
        for part in parts:
            if part.form not in found or _rank(part) < _rank(found[part.form]):
                found[part.form] = part
        return sorted(found.values(), key=_rank)[:most]


def _rank(part: Derivation) -> tuple[float, int, int]:
    return -part.score, -part.mask.bit_count(), part.edges

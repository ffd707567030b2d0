"""Grows candidate queries from the names of a question over the facts that are there, best first.

From each name every relation of the graph is tried that the question names, and the others at a price. What
was reached is grown further along relations that the question still names, and pieces that explain different
words are joined. Each round keeps its best pieces only, so that a question costs milliseconds on any graph.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood
from rollcall.systems.ask.forms import (
    NONE,
    Apart,
    ComparisonForm,
    Constant,
    Form,
    Function,
    Hop,
    JoinedForms,
    Members,
    Piece,
    adding,
    may_be_joined,
    query_of,
    summed,
)
from rollcall.systems.ask.mentions import (
    EntityMention,
    RelationMention,
    RelationPhrases,
    families,
    without_marks,
)
from rollcall.systems.ask.ranking import LogLinear, entities_among, image
from rollcall.systems.ask.reading import QuestionReading
from rollcall.systems.ask.words import Superlative, Word, mask_of, places_of, root, roots_of
from rollcall.text.words import FINITE_BE

# Pieces that need no name: the members of a class, and what has a value that the question compares.


class ConditionFinder:
    """Finds classes and comparisons over one graph."""

    def __init__(self, index: GraphIndex, model: LogLinear) -> None:
        self._index, self._model = index, model
        self._by_dimension: dict[str, list[int]] = {}
        for relation in range(len(index.relation_ids)):
            dimension = index.value_dimension(relation)
            if dimension is not None:
                self._by_dimension.setdefault(index.dimensions[dimension], []).append(relation)

    def of(self, reading: QuestionReading) -> list[Piece]:
        """All conditions of a question that something satisfies."""
        return [*self._compared(reading), *self._classes(reading)]

    def _compared(self, reading: QuestionReading) -> Iterator[Piece]:
        """What has such a value, by a relation that the question names, or by any that may be meant."""
        for value, mask in reading.values:
            bounds = value.value.bounds
            for relation in self._by_dimension.get(bounds.dimension, ()) if bounds else ():
                mentions = reading.mentions_of(relation)
                named = next((mention for mention in mentions if not mention.mask & mask), None)
                if named is None and value.comparator == "=":
                    continue
                form = ComparisonForm(relation, value.comparator, value.value)
                terms = answer_terms(self._index, query_of(form, self._index))
                if len(terms):
                    yield self._comparison(form, terms, mask, named)

    def _comparison(
        self, form: ComparisonForm, terms: Numbers, mask: int, named: RelationMention | None
    ) -> Piece:
        uses: set[tuple[int, object]] = {(mask, form.value)}
        changes = {"hop": 1.0, "silent relation": 1.0}
        if named is not None:
            changes = {"hop": 1.0, "loose match": 1.0 - named.match}
            uses.add((named.mask, (form.relation, BACKWARD)))
            mask |= named.mask
        features, positions = adding(NONE, changes), places_of(mask)
        return Piece(
            form, terms, mask, frozenset(uses), features, self._model.local(features),
            positions[0], positions[-1], ((form.relation, BACKWARD),),
        )  # fmt: skip

    def _classes(self, reading: QuestionReading) -> Iterator[Piece]:
        for mention in reading.classes:
            terms = self._index.members(self._index.class_ids[mention.class_])
            if len(terms):
                form, features = Members(mention.class_), adding(NONE, {"class": mention.quality})
                yield Piece(
                    form, terms, mention.mask, frozenset([(mention.mask, form)]), features,
                    self._model.local(features), mention.first, mention.last - 1, typed=mention.mask,
                )  # fmt: skip


# Joins two pieces that explain different words: both, either of them, or one without the other. Words
# between their own words decide: after `not` the second piece is denied, `or` right between them asks
# for either, and everything else for both.

_WHOLE_PHRASE = 0.8


def joined(
    reading: QuestionReading, model: LogLinear, pieces: Iterable[Piece], partners: Iterable[Piece]
) -> Iterator[Piece]:
    """Every piece joined with every partner that it may be joined with, where the result has answers."""
    listed = list(partners)
    for piece in pieces:
        for partner in listed:
            if piece.form != partner.form and may_be_joined(piece, partner):
                joint = _join(reading, model, piece, partner)
                if joint is not None:
                    yield joint


def _join(reading: QuestionReading, model: LogLinear, piece: Piece, other: Piece) -> Piece | None:
    own, others = piece.mask & ~other.mask, other.mask & ~piece.mask
    mask, how = piece.mask | other.mask, "and"
    left, right = piece, other
    if (position := _denial(reading, own, others, mask)) is not None:
        if own > others:
            return None  # the pair comes in the other order too
        how, mask = "but not", mask | 1 << position
        terms = np.setdiff1d(piece.terms, other.terms, assume_unique=True)
    elif (position := _alternative(reading, piece, other)) is not None:
        how, mask = "or", mask | 1 << position
        terms = np.union1d(piece.terms, other.terms)
    else:
        terms = np.intersect1d(piece.terms, other.terms, assume_unique=True)
        if not isinstance(other.form, Members) and other.first < piece.first:
            left, right = other, piece
    if not len(terms):
        return None
    idle = how == "but not" and len(terms) == len(left.terms)
    features = adding(summed(left.features, right.features), {"join": 1.0, "idle denial": float(idle)})
    return Piece(
        JoinedForms(how, left.form, right.form), terms, mask, piece.uses | other.uses, features,
        model.local(features), min(piece.first, other.first), max(piece.last, other.last),
        left.hops if how == "but not" else (*left.hops, *right.hops), piece.nouns | other.nouns,
        piece.typed | other.typed, piece.about | other.about,
    )  # fmt: skip


def _denial(reading: QuestionReading, own: int, others: int, mask: int) -> int | None:
    """The position of an unused `not` between the last own words of two pieces."""
    for position in reading.signs.denials:
        if not mask >> position & 1 and (own >> position == 0) != (others >> position == 0):
            return position
    return None


def _alternative(reading: QuestionReading, piece: Piece, other: Piece) -> int | None:
    """The position of an unused `or` right between the own words of two pieces of the same kind."""
    if bool(piece.hops) != bool(other.hops):
        return None
    own, others = piece.mask & ~other.mask, other.mask & ~piece.mask
    for position in reading.signs.alternatives:
        before = mask_of([index for index in range(position) if reading.weights[index]][-1:])
        after = mask_of(
            [index for index in range(position + 1, len(reading.words)) if reading.weights[index]][:2]
        )
        if (piece.mask | other.mask) >> position & 1 or _is_in_phrase(reading, before, after):
            continue
        if (own & before and others & after) or (others & before and own & after):
            return position
    return None


def _is_in_phrase(reading: QuestionReading, before: int, after: int) -> bool:
    """Whether words on both sides of an `or` are in one phrase: "language of film or TV show"."""
    return any(
        mention.match >= _WHOLE_PHRASE and mention.mask & before and mention.mask & after
        for mention in reading.relations
    )


# Where a question has which end of a relation: the grammar of a phrase next to a name. "Directed by
# Orla" makes her the object, "who directed Dune" makes the film the subject, "did Orla direct" makes her
# the object again. The rules know the voice of a phrase and the little words around it, and no relation
# by name.

_ARTICLES = frozenset(("the", "a", "an"))
_OF = frozenset(("of", "for", "to"))
_AMONG = frozenset(("as", "among"))
_HAVE = frozenset(("has", "have", "had", "with"))


def direction_fit(
    words: Sequence[Word], mention: RelationMention, first: int, last: int, direction: int
) -> float:
    """How well a direction fits, from -1 to 1, if the relation is followed from what stands at these words.

    FORWARD takes these words for the subject.
    """
    if mention.first > last:
        expected, surety = _after(words, mention, first, last)
    elif mention.last < first:
        expected, surety = _before(words, mention, first)
    else:
        return 0.0
    return surety if expected == direction else -surety


def _after(words: Sequence[Word], mention: RelationMention, first: int, last: int) -> tuple[int, float]:
    """The phrase follows the name: "Orla's films", "did Orla direct", "was Dune directed"."""
    between = {word.folded for word in words[last + 1 : mention.first]}
    before = _word_before(words, first)
    passive = bool(between & FINITE_BE) or before in FINITE_BE
    if mention.voice == "noun":
        if last + 1 < len(words) and words[last + 1].folded in ("'", "’", "s"):
            return FORWARD, 1.0
        following = words[mention.last + 1].folded if mention.last + 1 < len(words) else ""
        if following == "of" and (passive or before in _HAVE):
            return BACKWARD, 0.7
        return (BACKWARD, 0.9) if between & _AMONG else (FORWARD, 0.4)
    if mention.voice == "active":
        return FORWARD, 0.8
    if passive:
        return FORWARD, 0.8
    return BACKWARD, 0.8


def _before(words: Sequence[Word], mention: RelationMention, first: int) -> tuple[int, float]:
    """The phrase comes before the name: "films by Orla", "director of Dune", "directed Dune"."""
    between = [word.folded for word in words[mention.last + 1 : first] if word.folded not in _ARTICLES]
    if mention.voice == "noun":
        if between[:1] and between[0] in _OF:
            return FORWARD, 1.0
        if between[:1] and between[0] in FINITE_BE:
            return BACKWARD, 0.8
        if between[:1] and between[0] in ("in", "on", "at"):
            return FORWARD, 0.6
        return (BACKWARD, 0.7) if "by" in between else (FORWARD, 0.3)
    if mention.voice == "active":
        return BACKWARD, 0.9
    if mention.voice == "passive" and "by" in between:
        return BACKWARD, 1.0
    return FORWARD, 0.8


def _word_before(words: Sequence[Word], index: int) -> str:
    """The word before a name, without articles."""
    index -= 1
    while index >= 0 and words[index].folded in _ARTICLES:
        index -= 1
    return words[index].folded if index >= 0 else ""


# Pieces along relations: from a name, further from what was reached, and back to what shares it. A
# relation is followed where words of the question name it. From a name it is also followed at a price
# without any word, and at a low price where English needs none, as in "French films" or "towns in
# Ostrell".

_MENTIONS = 24
_LARGEST = 50_000
"""Sets of more terms than this are not grown further."""
_LEAST_BRIDGED = 0.5
"""A name of less quality than this needs a relation that the question names."""
_ASKED = 0.8
"""How well a relation fits to which the noun of what is asked for leads."""
_SAID = 0.8
"""A name with words that match a relation so well says the relation, too."""
_OF_PLACE = ("lie", "locate", "situate", "find", "sit", "stand")
"""Verbs that say no more than `is` before a place."""


class Hopper:
    """Grows pieces along the relations of one graph."""

    def __init__(
        self, index: GraphIndex, hops: Neighbourhood, phrases: RelationPhrases, model: LogLinear
    ) -> None:
        self._index, self._hops, self._model = index, hops, model
        ends = [phrases.ends(relation) for relation in range(len(phrases.entries))]
        self.nouns = [
            tuple(frozenset(roots_of(noun)) for noun in (relation_ends.objects, relation_ends.subjects))
            for relation_ends in ends
        ]
        """For each relation and direction the roots of the noun for what is reached."""
        self._silent = [not roots_of(without_marks(entry.forward)) for entry in phrases.entries]

    def from_name(self, reading: QuestionReading, mention: EntityMention, number: int) -> Iterator[Piece]:
        """What one hop reaches from an entity that the question may name."""
        features = adding(NONE, {"unsure name": 1.0 - mention.quality})
        anchor = Piece(
            Constant(number), np.array([number]), mention.mask, frozenset([(mention.mask, number)]),
            features, 0.0, mention.first, mention.last - 1,
        )  # fmt: skip
        for hop in self._hops.hops(number):
            relation, direction = divmod(hop, 2)
            terms = self._hops.others(number, hop)
            for relation_mention in reading.mentions_of(relation):
                if not relation_mention.mask & anchor.mask:
                    yield self._named(reading, anchor, terms, direction, relation_mention)
            if mention.quality >= _LEAST_BRIDGED or self._is_silent(relation, direction):
                yield self._unnamed(reading, anchor, terms, relation, direction)

    def further(self, reading: QuestionReading, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """What one more hop reaches, along relations that the question names with unexplained words."""
        named = sorted(reading.relations, key=lambda mention: -mention.match)[: 2 * _MENTIONS]
        for piece in pieces:
            entities = entities_among(self._index, piece.terms)
            if not 0 < len(entities) <= _LARGEST:
                continue
            reached: dict[tuple[int, int], Numbers] = {}
            for mention in [candidate for candidate in named if not candidate.mask & piece.mask][:_MENTIONS]:
                for direction in (FORWARD, BACKWARD):
                    key = (mention.relation, direction)
                    if key not in reached:
                        reached[key] = image(self._index, entities, *key)
                    if len(reached[key]):
                        yield self._named(reading, piece, reached[key], direction, mention)

    def sharing(self, reading: QuestionReading, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """What has the same as something else: "films with the same director as Dune", without Dune."""
        if not reading.signs.sameness:
            return
        for piece in pieces:
            anchors = _anchors(piece.form)
            if not anchors or len(set(piece.hops)) > 1:
                continue
            relation, direction = piece.hops[-1]
            terms = image(self._index, entities_among(self._index, piece.terms), relation, 1 - direction)
            terms = np.setdiff1d(terms, anchors, assume_unique=True)
            if len(terms):
                features = adding(piece.features, {"hop": 1.0})
                yield piece._replace(
                    form=Apart(Hop(piece.form, relation, 1 - direction)), terms=terms, features=features,
                    score=self._model.local(features), mask=piece.mask | reading.signs.sameness,
                    hops=((relation, 1 - direction),), typed=0,
                    nouns=piece.nouns | self.nouns[relation][1 - direction],
                )  # fmt: skip

    def _named(
        self, reading: QuestionReading, piece: Piece, terms: Numbers, direction: int, mention: RelationMention
    ) -> Piece:
        """A piece grown along a relation that words of the question name."""
        relation, mask = mention.relation, piece.mask | mention.mask
        fit = direction_fit(reading.words, mention, piece.first, piece.last, direction)
        if mention.voice == "noun" and direction == BACKWARD and mention.mask & reading.kind.mask:
            fit = -1.0  # the noun of what is asked for names no other thing
        elif mention.voice == "noun" and mention.mask & reading.kind.mask:
            fit = max(fit, _ASKED)
        changes = {"hop": 1.0, "loose match": 1.0 - mention.match, "wrong side": 1.0 - fit}
        form: Form = Hop(piece.form, relation, direction)
        if isinstance(piece.form, Hop) and piece.hops[-1] == (relation, 1 - direction):
            changes["there and back"] = 0.0 if reading.signs.otherness else 1.0
            form, mask = Apart(form), mask | reading.signs.otherness
        features = adding(piece.features, changes)
        return Piece(
            form, terms, mask, piece.uses | {(mention.mask, (relation, direction))}, features,
            self._model.local(features), min(piece.first, mention.first), max(piece.last, mention.last),
            ((relation, direction),), piece.nouns | self.nouns[relation][direction], 0,
            piece.about | reading.also_about(mention),
        )  # fmt: skip

    def _unnamed(
        self, reading: QuestionReading, piece: Piece, terms: Numbers, relation: int, direction: int
    ) -> Piece:
        """A piece grown along a relation that no word names, unless the name does: `group 11` of groups."""
        is_asked = (
            direction == BACKWARD and piece.mask == reading.kind.mask and reading.is_name(reading.kind.mask)
        )
        silent = (
            is_asked
            or self._is_silent(relation, direction)
            or any(
                mention.mask & piece.mask == mention.mask and mention.match >= _SAID
                for mention in reading.mentions_of(relation)
            )
        )
        features = adding(
            piece.features, {"hop": 1.0, "silent relation" if silent else "unnamed relation": 1.0}
        )
        positions = (
            [position for position, word in enumerate(reading.words) if word.root in _roots(_OF_PLACE)]
            if silent
            else []
        )
        return piece._replace(
            form=Hop(piece.form, relation, direction), terms=terms, features=features,
            score=self._model.local(features), hops=((relation, direction),),
            nouns=piece.nouns | self.nouns[relation][direction], typed=piece.mask if is_asked else 0,
            about=piece.about | mask_of(positions),
        )  # fmt: skip

    def _is_silent(self, relation: int, direction: int) -> bool:
        """Whether English needs no word for a relation in this direction."""
        return direction == BACKWARD and self._silent[relation]


def _anchors(form: Form) -> list[int]:
    """The entities from which one hop leads to the answers of a form; none if it was grown in another way."""
    match form:
        case Hop(Constant(entity), _, _):
            return [entity]
        case JoinedForms("and", left, right):
            sides = [_anchors(left), _anchors(right)]
            return sorted({*sides[0], *sides[1]}) if all(sides) else []
    return []


@cache
def _roots(words: tuple[str, ...]) -> frozenset[str]:
    """The roots of words; found on first use, since not every machine has the stemmer."""
    return frozenset(map(root, words))


_ANCHORS = 60
_BEAM = 40
_PARTNERS = 30
_ROUNDS = 3
_LOST, _LOST_BY_HALF, _MOST_LOST = 0.02, 0.06, 0.3
"""What each further entity of a name loses in quality, and with half the relations of the first one."""


class Grower:
    """Grows pieces over one graph."""

    def __init__(self, graph: Graph, hops: Neighbourhood, phrases: RelationPhrases, model: LogLinear) -> None:
        self._model, self._hops = model, hops
        self._hopper = Hopper(graph.index, hops, phrases, model)
        self._conditions = ConditionFinder(graph.index, model)

    def grow(self, reading: QuestionReading) -> list[Piece]:
        """All pieces that were kept, best first."""
        named = [
            (mention._replace(quality=mention.quality - self._lost(mention, rank)), entity)
            for mention in reading.entities
            for rank, entity in enumerate(mention.entities)
        ][:_ANCHORS]
        first = (piece for pair in named for piece in self._hopper.from_name(reading, *pair))
        kept = self._best(reading, first, 3 * _BEAM)
        conditions = self._conditions.of(reading)
        frontier = [*kept[:_BEAM], *conditions]
        kept += conditions
        for _ in range(_ROUNDS):
            if not frontier or self._is_complete(reading, kept[0], conditions):
                break
            partners = self._best(reading, [*kept[:_PARTNERS], *conditions], len(kept))
            grown = [
                *self._hopper.further(reading, frontier),
                *self._hopper.sharing(reading, frontier),
                *joined(reading, self._model, frontier, partners),
            ]
            frontier = self._best(reading, grown, _BEAM)
            kept = sorted([*kept, *frontier], key=lambda piece: -self._rank(reading, piece))
        return kept

    def _lost(self, mention: EntityMention, rank: int) -> float:
        """What an entity loses that shares its name with others of which the graph says more."""
        if not rank:
            return 0.0
        first, own = (len(self._hops.hops(mention.entities[index])) for index in (0, rank))
        less = math.log2((first + 1) / (own + 1))
        return min(_MOST_LOST, max(_LOST * rank, _LOST_BY_HALF * less))

    def _is_complete(self, reading: QuestionReading, piece: Piece, conditions: Iterable[Piece]) -> bool:
        """Whether a piece explains every word, and uses every class and value that is named."""
        unused = any(not condition.uses & piece.uses for condition in conditions)
        return not unused and not reading.left_over(piece.explained, piece.nouns)

    def _rank(self, reading: QuestionReading, piece: Piece) -> float:
        left = reading.left_over(piece.explained, piece.nouns)
        return piece.score + self._model.weights["left over"] * left

    def _best(self, reading: QuestionReading, pieces: Iterable[Piece], most: int) -> list[Piece]:
        """The best pieces; of those with the same form the best one alone."""
        best: dict[Form, Piece] = {}
        for piece in pieces:
            known = best.get(piece.form)
            # Of two words for a relation, the nearer one is meant: "children of the children of".
            if known is None or (known.score, known.first - known.last) < (
                piece.score,
                piece.first - piece.last,
            ):
                best[piece.form] = piece
        return sorted(best.values(), key=lambda piece: -self._rank(reading, piece))[:most]


# Functions over what was grown: counts and superlatives, where words of the question ask for them.

_BEST = 24
_LARGEST_WORDS = 2_000_000
_NAMED = 0.5


class Functions:
    """Applies functions to pieces over one graph."""

    def __init__(self, graph: Graph, phrases: RelationPhrases) -> None:
        self._index, self._phrases = graph.index, phrases

    def applied(self, reading: QuestionReading, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """Pieces with the functions that the question asks for."""
        for piece in [candidate for candidate in pieces if not _has_comparison(candidate.form)][:_BEST]:
            literal = int(piece.terms[-1]) >= self._index.entity_count
            if reading.kind.counts and not literal:
                yield piece._replace(form=Function("count", piece.form))
            for superlative in reading.signs.superlatives:
                if superlative.mask & piece.mask:
                    continue
                if literal:
                    yield from self._extreme_value(piece, superlative)
                else:
                    yield from self._extreme_by(reading, piece, superlative)

    def _extreme_value(self, piece: Piece, sign: Superlative) -> Iterator[Piece]:
        form = Function(sign.extreme, piece.form)
        terms = self._terms(form)
        if len(terms):
            yield piece._replace(form=form, terms=terms, mask=piece.mask | sign.mask)

    def _extreme_by(self, reading: QuestionReading, piece: Piece, sign: Superlative) -> Iterator[Piece]:
        if len(piece.terms) > _LARGEST_WORDS:
            return
        for relation in self._phrases.measures:
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
        """The answers of a form; none if the language cannot express it, such as a denial of a denial."""
        try:
            return answer_terms(self._index, query_of(form, self._index))
        except RollcallError:
            return np.empty(0, dtype=self._index.dtype)

    def _measure(
        self, reading: QuestionReading, piece: Piece, sign: Superlative, relation: int
    ) -> tuple[float, int]:
        """How well a relation measures what a superlative compares, and the words that say so."""
        entry = self._phrases.entries[relation]
        extreme_words = entry.most if sign.extreme == "max" else entry.least
        if extreme_words and sign.word in extreme_words.split():
            return 1.0, 0
        named = [
            mention
            for mention in reading.relations
            if mention.relation == relation and not mention.mask & piece.mask
        ]
        best = max(named, key=lambda mention: mention.match, default=None)
        if best is not None and best.match >= _NAMED:
            return best.match, best.mask
        own = set(roots_of(self._phrases.labels[relation])) | set(roots_of(entry.noun))
        if own & sign.roots:
            return 0.7, 0
        return (
            (0.5, 0)
            if any(families().get(measured_root, frozenset()) & own for measured_root in sign.roots)
            else (0.0, 0)
        )


def _has_comparison(form: Form) -> bool:
    """Whether a form compares values already: a query has one function at most."""
    match form:
        case ComparisonForm():
            return True
        case Apart(source) | Hop(source, _, _) | Function(_, source, _):
            return _has_comparison(source)
        case JoinedForms(_, left, right):
            return _has_comparison(left) or _has_comparison(right)
    return False

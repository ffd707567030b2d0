"""A trained `sempre`: parses a question and gives the query of the best derivation.

- `Parser`: builds derivations bottom-up and keeps a beam of the best after each round.
- `SempreInterpreter`: interprets questions with a trained model. `SempreLearning`: trains one.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood
from rollcall.papers.semantic_parsers.alignment import (
    AlignedWords,
    Alignment,
    GraphReading,
    Names,
    Table,
    TrainingQuestion,
    between,
    content_words,
    kinds_of,
    popularity_of,
    question_word,
    size_of,
    tag,
)
from rollcall.papers.semantic_parsers.learning import (
    AdaGrad,
    Features,
    Interpretation,
    Measures,
    PassPlan,
    StoredModel,
    agreeing_share,
    gradient,
    learn_in_passes,
    nothing_found,
    summed,
    training_questions,
    unused_words,
    weighed,
)
from rollcall.systems.ask.forms import (
    ComparisonForm,
    Constant,
    Form,
    Function,
    Hop,
    JoinedForms,
    Members,
    query_of,
)
from rollcall.systems.ask.mentions import ClassMention, EntityMention, RelationPhrases
from rollcall.systems.ask.ranking import common, entities_among, image
from rollcall.systems.ask.reading import QuestionReading
from rollcall.systems.ask.values_in_text import ValueMention
from rollcall.systems.ask.words import Superlative, Word, mask_of, places_of, roots_of
from rollcall.systems.train.training_example import TrainingExample

# The parser of `sempre`: builds derivations bottom-up and keeps a beam of the best after each round. The
# first round has what single relations lead to. Each further round joins and intersects what the last one
# kept. Ties are broken by the words that a derivation covers, so that an untrained model, whose scores are
# all zero, prefers what explains more.


# Derivations: parts of a question with the sets they stand for, the words they cover, and their
# features. A derivation without answers is never made. Its score is the sum of its features under the
# current weights, so that a part that was built once need not be scored again in what is built of
# it.


class Derivation(NamedTuple):
    """A set of entities or values, as the words from `first` to `last` say it."""

    form: Form
    terms: Numbers
    """Its answers, sorted; for a count, what is counted."""
    mask: int
    """The words it covers; words between them may be skipped."""
    first: int
    last: int
    features: Features
    score: float
    edges: int = 0
    function: str = ""
    """The function or comparison in it; a query has one at most."""


class RelationPhrase(NamedTuple):
    """Words that may name a relation."""

    relation: int
    mask: int
    first: int
    last: int
    features: Features
    score: float


def are_apart(left: Derivation | RelationPhrase, right: Derivation | RelationPhrase) -> bool:
    """Whether one ends before the other starts."""
    return left.last < right.first or right.last < left.first


# The lexicon of `sempre`: which relations a phrase of a question may name, with lexical features. A
# phrase names a relation if it has words in common with one of the relation's names, or if one of its
# words went with the relation in training. How good a match is, is left to the weights.

_CONTENT, _WINDOW = 3, 5
"""How many words that say something a phrase has at most, and how many words in all."""
_WHOLE_NAME = 0.8
"""Phrases of less weight are nouns of a relation's ends, which do not name it."""


class RelationLexicon:
    """The names of a graph's relations."""

    def __init__(self, phrases: RelationPhrases) -> None:
        self._names: list[list[frozenset[str]]] = [[] for _ in phrases.entries]
        self._by_root: dict[str, list[int]] = {}
        for phrase in phrases.all:
            if phrase.weight >= _WHOLE_NAME:
                self._names[phrase.relation].append(frozenset(phrase.roots))
        for relation, names in enumerate(self._names):
            for root in sorted({word for name in names for word in name}):
                self._by_root.setdefault(root, []).append(relation)

    def find(
        self, words: Sequence[Word], aligned: AlignedWords[int], weights: Features, most: int
    ) -> list[RelationPhrase]:
        """The phrases of a question that may name relations, best first."""
        phrases = [
            RelationPhrase(relation, mask, positions[0], positions[-1], features, weighed(features, weights))
            for positions in spans(words)
            for mask in (mask_of(positions),)
            for relation, features in self._named([words[position] for position in positions], aligned)
        ]
        return sorted(phrases, key=lambda phrase: (-phrase.score, -phrase.mask.bit_count()))[:most]

    def match(self, relation: int, roots: Sequence[str]) -> dict[str, float]:
        """How the words of a phrase and the names of a relation overlap."""
        own = set(roots)
        best = max(
            ((len(own & name) / len(name), len(own & name) / len(own)) for name in self._names[relation]),
            default=(0.0, 0.0),
        )
        if not best[0]:
            return {}
        features = {"name: share of its words": best[0], "name: share of the phrase": best[1]}
        if best == (1.0, 1.0):
            features["name: equal"] = 1.0
        return features

    def _named(
        self, words: Sequence[Word], aligned: AlignedWords[int]
    ) -> Iterator[tuple[int, dict[str, float]]]:
        roots = [word.root for word in words]
        relations = {relation for root in roots for relation in self._by_root.get(root, ())}
        relations |= {hop // 2 for root in roots for hop in aligned.seen_with(root)}
        for relation in sorted(relations):
            features = self.match(relation, roots)
            features["phrase"] = 1.0
            features[f"phrase of {len(roots)}"] = 1.0
            features[f"phrase ends with {tag(words[-1])}"] = 1.0
            yield relation, features


def spans(words: Sequence[Word]) -> Iterator[list[int]]:
    """Phrases: some words that say something, which stand near one another."""
    content = [position for position, word in enumerate(words) if not word.is_empty]
    for start in range(len(content)):
        for count in range(1, _CONTENT + 1):
            positions = content[start : start + count]
            if len(positions) == count and positions[-1] - positions[0] < _WINDOW:
                yield positions


# What the grammar of `sempre` stands on: the facts of one graph, and one question under some weights.


class Ground:
    """The facts of a graph as the grammar needs them."""

    def __init__(self, graph: Graph, hops: Neighbourhood, lexicon: RelationLexicon) -> None:
        self.index, self.hops, self.lexicon = graph.index, hops, lexicon
        self.measures = Measures(graph.index)
        self.popularity = popularity_of(graph.index)


class SempreQuestion(NamedTuple):
    """One question, and what is known about words when it is parsed."""

    reading: QuestionReading
    aligned: AlignedWords[int]
    weights: Features


# Rules for functions over a whole set: counts, and superlatives by a relation with values. They apply
# where words of the question ask for them, and once: a query has one function.


def counted(asking: SempreQuestion, ground: Ground, part: Derivation) -> Iterator[Derivation]:
    """The number of things in a set, after "how many"."""
    if part.function or not asking.reading.kind.counts or int(part.terms[-1]) >= ground.index.entity_count:
        return
    positions = [
        position for position, word in enumerate(asking.reading.words) if word.folded in ("how", "many")
    ]
    added = {"count": 1.0}
    yield part._replace(
        form=Function("count", part.form), mask=part.mask | mask_of(positions), function="count",
        features=summed(part.features, added), score=part.score + weighed(added, asking.weights),
    )  # fmt: skip


def extreme(
    asking: SempreQuestion, ground: Ground, part: Derivation, sign: Superlative
) -> Iterator[Derivation]:
    """The greatest or least of a set: of values, or of entities by their values."""
    if part.function or sign.mask & part.mask:
        return
    for form, terms, hops in ground.measures.extremes(part.form, part.terms, sign.extreme):
        added = _measuring(asking, ground, sign, form.relation) if hops else {"extreme value": 1.0}
        yield part._replace(
            form=form, terms=terms, mask=part.mask | sign.mask, function=form.name,
            features=summed(part.features, added), score=part.score + weighed(added, asking.weights),
            edges=part.edges + len(hops),
        )  # fmt: skip


def _measuring(asking: SempreQuestion, ground: Ground, sign: Superlative, relation: int) -> dict[str, float]:
    """How a superlative and a relation belong together: by its names, and by what went with them before."""
    features = (
        {
            f"superlative {name}": value
            for name, value in ground.lexicon.match(relation, [*sign.roots]).items()
        }
        if sign.roots
        else {}
    )
    words = [
        asking.reading.words[position].root
        for position in range(len(asking.reading.words))
        if sign.mask >> position & 1
    ]
    features["superlative"] = 1.0
    features[f"superlative {sign.word} by {ground.index.relation_ids[relation]}"] = 1.0
    features["superlative: popularity"] = ground.popularity[relation]
    features["superlative: alignment"] = max(
        asking.aligned.lift(word, 2 * relation + FORWARD) for word in words
    )
    return features


# Rules that lead along a relation: joins where a phrase names it, bridging where none does. The
# direction is not known from the phrase. What stands first, the little words between, and the form of
# the phrase are features, from which the model learns that "by" asks for one end and "of" for the other.

_LARGEST = 50_000
"""Sets of more terms than this are not followed."""
_ARROWS = {FORWARD: ">", BACKWARD: "<"}


def entity(asking: SempreQuestion, ground: Ground, mention: EntityMention, rank: int) -> Derivation:
    """An entity that words of the question name; `rank` is its place among those of the same name."""
    number = mention.entities[rank]
    features = {
        "entity": 1.0,
        "entity: quality of its name": mention.quality,
        "entity: words of its name": float(min(mention.last - mention.first, 4)),
        "entity: rank among homonyms": min(rank, 4) / 4.0,
    }
    return Derivation(
        Constant(number), np.array([number], dtype=ground.index.dtype), mention.mask, mention.first,
        mention.last - 1, features, weighed(features, asking.weights),
    )  # fmt: skip


def joined(
    asking: SempreQuestion, ground: Ground, part: Derivation, phrase: RelationPhrase
) -> Iterator[Derivation]:
    """What a relation leads to, in either direction, that a phrase apart from a set names."""
    if not are_apart(part, phrase):
        return
    for direction in (FORWARD, BACKWARD):
        terms = _reached(ground, part, phrase.relation, direction)
        if len(terms):
            added = {**_order(asking, part, phrase, direction), **_words(asking, phrase, direction)}
            features = summed(part.features, phrase.features, added)
            yield Derivation(
                Hop(part.form, phrase.relation, direction), terms, part.mask | phrase.mask,
                min(part.first, phrase.first), max(part.last, phrase.last), features,
                part.score + phrase.score + weighed(added, asking.weights), part.edges + 1, part.function,
            )  # fmt: skip


def bridged(asking: SempreQuestion, ground: Ground, part: Derivation) -> Iterator[Derivation]:
    """What any relation of an entity leads to, where no phrase names one."""
    if not isinstance(part.form, Constant):
        return
    before = asking.reading.words[part.first - 1].folded if part.first else ""
    words = content_words(asking.reading, part.mask)
    for hop in ground.hops.hops(part.form.entity):
        relation, direction = divmod(hop, 2)
        added = {
            "bridge": 1.0,
            f"bridge {_ARROWS[direction]} after {before}": 1.0,
            f"bridge {_ARROWS[direction]}{ground.index.relation_ids[relation]}": 1.0,
            "bridge: popularity": ground.popularity[relation],
            "bridge: alignment": max((asking.aligned.lift(word, hop) for word in words), default=0.0),
        }
        yield Derivation(
            Hop(part.form, relation, direction), ground.hops.others(part.form.entity, hop), part.mask,
            part.first, part.last, summed(part.features, added),
            part.score + weighed(added, asking.weights), 1,
        )  # fmt: skip


def _reached(ground: Ground, part: Derivation, relation: int, direction: int) -> Numbers:
    if isinstance(part.form, Constant):
        return ground.hops.others(part.form.entity, 2 * relation + direction)
    entities = entities_among(ground.index, part.terms)
    if not 0 < len(entities) <= _LARGEST:
        return entities[:0]
    return image(ground.index, entities, relation, direction)


def _order(
    asking: SempreQuestion, part: Derivation, phrase: RelationPhrase, direction: int
) -> dict[str, float]:
    """The order of phrase and set."""
    words, arrow = asking.reading.words, _ARROWS[direction]
    if phrase.last < part.first:
        side, words_between = "before", between(words, phrase.last, part.first)
    else:
        side, words_between = "behind", between(words, part.last, phrase.first)
    form = tag(words[phrase.last])
    return {
        "join": 1.0,
        f"join {arrow} {side}": 1.0,
        f"join {arrow} {form} {side}": 1.0,
        f"join {arrow} {side} ({words_between})": 1.0,
        f"join {arrow} {form} {side} ({words_between})": 1.0,
    }


def _words(asking: SempreQuestion, phrase: RelationPhrase, direction: int) -> dict[str, float]:
    """How the words of a phrase went with this direction of the relation in training."""
    hop = 2 * phrase.relation + direction
    lifts = [
        asking.aligned.lift(asking.reading.words[position].root, hop) for position in places_of(phrase.mask)
    ]
    best, mean = max(lifts), sum(lifts) / len(lifts)
    return {"alignment: best word": best, "alignment: mean": mean, "alignment: none": float(best == 0.0)}


# Rules for sets without a name: members of a class, what has a value, and what is in two sets at once.


def members(asking: SempreQuestion, ground: Ground, mention: ClassMention) -> Iterator[Derivation]:
    """The members of a class that words of the question name."""
    terms = ground.index.members(ground.index.class_ids[mention.class_])
    if len(terms):
        features = {"class": 1.0, "class: quality of its name": mention.quality}
        yield Derivation(
            Members(mention.class_), terms, mention.mask, mention.first, mention.last - 1, features,
            weighed(features, asking.weights),
        )  # fmt: skip


def compared(
    asking: SempreQuestion, ground: Ground, value: ValueMention, mask: int, phrases: Sequence[RelationPhrase]
) -> Iterator[Derivation]:
    """What has a value in this order to the given one, by a relation that is named or bridged."""
    for relation, form, terms in ground.measures.compared(value):
        best = next(
            (
                candidate
                for candidate in phrases
                if candidate.relation == relation and not candidate.mask & mask
            ),
            None,
        )
        for phrase in (None, best) if best is not None else (None,):
            yield _comparison(asking, ground, form, terms, mask, phrase)


def intersected(asking: SempreQuestion, first: Derivation, second: Derivation) -> Derivation | None:
    """What is in two sets that stand apart; None if nothing is."""
    if first.function and second.function:
        return None
    terms = common(first.terms, second.terms)
    if not len(terms):
        return None
    kind = "class" if isinstance(second.form, Members) or isinstance(first.form, Members) else "sets"
    added = {f"intersection of {kind}": 1.0}
    if len(terms) == len(first.terms) or len(terms) == len(second.terms):
        added[f"idle intersection of {kind}"] = 1.0
    left, right = (first, second) if first.first < second.first else (second, first)
    return Derivation(
        JoinedForms("and", left.form, right.form), terms, first.mask | second.mask, left.first,
        max(left.last, right.last), summed(first.features, second.features, added),
        first.score + second.score + weighed(added, asking.weights), first.edges + second.edges,
        first.function or second.function,
    )  # fmt: skip


def _comparison(
    asking: SempreQuestion,
    ground: Ground,
    form: ComparisonForm,
    terms: Numbers,
    mask: int,
    phrase: RelationPhrase | None,
) -> Derivation:
    words = content_words(asking.reading, mask)
    hops = (2 * form.relation + FORWARD, 2 * form.relation + BACKWARD)
    added = {
        "comparison": 1.0,
        f"comparison {form.comparator}": 1.0,
        f"comparison by {ground.index.relation_ids[form.relation]}": 1.0,
        "comparison: popularity": ground.popularity[form.relation],
        "comparison: alignment": max(
            (asking.aligned.lift(word, hop) for word in words for hop in hops), default=0.0
        ),
        f"comparison {'by a name' if phrase is not None else 'bridged'}": 1.0,
    }
    features = summed(phrase.features, added) if phrase is not None else added
    mask |= phrase.mask if phrase is not None else 0
    positions = places_of(mask)
    return Derivation(
        form, terms, mask, positions[0], positions[-1], features, weighed(features, asking.weights), 1,
        "" if form.comparator == "=" else form.comparator,
    )  # fmt: skip


# Features of a whole parse: the words that it skips, how many answers it has, and of what kind they are.


def root_features(asking: SempreQuestion, index: GraphIndex, part: Derivation) -> dict[str, float]:
    """The features of a parse that is complete."""
    reading = asking.reading
    features: dict[str, float] = {}
    for position, word in enumerate(reading.words):
        if not part.mask >> position & 1 and word.folded[0].isalnum():
            name = f"skipped {tag(word)}"
            features[name] = features.get(name, 0.0) + 1.0
    features[f"{'counted' if part.function == 'count' else 'answers'}: {size_of(part.terms)}"] = 1.0
    features[f"edges: {part.edges}"] = 1.0
    if isinstance(part.form, Members):
        features["a class alone"] = 1.0
    unused = sum(not sign.mask & part.mask for sign in reading.signs.superlatives)
    if unused:
        features["superlatives that are not used"] = float(unused)
    if reading.kind.counts and part.function != "count":
        features["how many, not counted"] = 1.0
    kinds = ["number"] if part.function == "count" else kinds_of(index, part.terms)
    asked = question_word(reading.words)
    for kind in kinds:
        features[f"{asked}: {kind}"] = 1.0
    if reading.kind.roots:
        focus = reading.kind.roots[-1]
        named = any(focus in roots_of(kind) for kind in kinds)
        features[
            "the noun asked for is a class of the answers" if named else "the noun asked for is no class"
        ] = 1.0
    return features


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

    def parses(self, asking: SempreQuestion) -> list[Derivation]:
        """The whole parses that were kept, best first; none if no name leads to an answer."""
        reading, ground = asking.reading, self._ground
        phrases = ground.lexicon.find(reading.words, asking.aligned, asking.weights, _PHRASES)
        entities = [
            entity(asking, ground, mention, rank)
            for mention in reading.entities
            for rank in range(min(len(mention.entities), _HOMONYMS))
        ][:_ENTITIES]
        classes = [part for mention in reading.classes for part in members(asking, ground, mention)]
        first = [
            *(grown for part in entities for grown in bridged(asking, ground, part)),
            *(
                grown
                for part in entities
                for phrase in phrases
                for grown in joined(asking, ground, part, phrase)
            ),
        ]
        valued = [
            part for value, mask in reading.values for part in compared(asking, ground, value, mask, phrases)
        ]
        frontier = self._best([*first, *valued], self._beam)
        kept = [*frontier, *classes]
        for _ in range(_ROUNDS):
            frontier = self._best(self._grown(asking, frontier, kept, phrases), self._beam)
            kept += frontier
        complete = [*kept, *self._functions(asking, kept)]
        return self._best((self._finished(asking, part) for part in complete), 4 * self._beam)

    def _grown(
        self,
        asking: SempreQuestion,
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

    def _functions(self, asking: SempreQuestion, kept: list[Derivation]) -> Iterable[Derivation]:
        signs = asking.reading.signs.superlatives
        if not signs and not asking.reading.kind.counts:
            return
        best = sorted(kept, key=_rank)
        for part in best:
            yield from counted(asking, self._ground, part)
        for part in best[:_FUNCTIONS] if signs else ():
            for sign in signs:
                yield from extreme(asking, self._ground, part, sign)

    def _finished(self, asking: SempreQuestion, part: Derivation) -> Derivation:
        added = root_features(asking, self._ground.index, part)
        return part._replace(
            features=summed(part.features, added), score=part.score + weighed(added, asking.weights)
        )

    def _best(self, parts: Iterable[Derivation], most: int) -> list[Derivation]:
        """The best derivations; of those with the same form the best one alone."""
        best: dict[Form, Derivation] = {}
        for part in parts:
            if part.form not in best or _rank(part) < _rank(best[part.form]):
                best[part.form] = part
        return sorted(best.values(), key=_rank)[:most]


def _rank(part: Derivation) -> tuple[float, int, int]:
    return -part.score, -part.mask.bit_count(), part.edges


# What `sempre` has learned: the weights of features, and the words that went with relations.


class SempreModel(StoredModel, frozen=True, kw_only=True):
    """A trained model."""

    file = "sempre.json"
    alignment: Table
    beam: int


class SempreInterpreter:
    """Interprets questions about one graph."""

    def __init__(self, graph: Graph, model: SempreModel) -> None:
        reading = GraphReading(graph, model.names)
        self._index, self._reader = graph.index, reading.questions
        self._aligned = Alignment.opened(model.alignment, graph.index).whole
        self._weights = model.weights
        self._parser = Parser(Ground(graph, reading.hops, RelationLexicon(reading.phrases)), model.beam)

    def understand(self, question: str) -> Interpretation:
        """The query that a question asks for."""
        reading = self._reader.read(question)
        parses = self._parser.parses(SempreQuestion(reading, self._aligned, self._weights))
        for best in parses:
            try:
                query = query_of(best.form, self._index)
            except RollcallError:  # what the query language cannot say
                continue
            left = unused_words(reading, best.mask)
            sure = agreeing_share(np.array([parse.score for parse in parses]), parses, best)
            return Interpretation(question, query, sure, left)
        return nothing_found(reading)


# How `sempre` learns: it parses each question with the weights so far, and moves them towards right
# answers. Which query a question asks is not given. Every parse is rewarded by the F1 of its answers.


class SempreLearning:
    """Learns to parse questions about one graph."""

    def __init__(self, graph: Graph, names: Names, beam: int) -> None:
        self._graph, self._names, self._beam = graph, names, beam
        self._reading = GraphReading(graph, names)
        lexicon = RelationLexicon(self._reading.phrases)
        self._parser = Parser(Ground(graph, self._reading.hops, lexicon), beam)
        self._alignment = Alignment({})

    def learn(
        self, examples: Sequence[TrainingExample], optimiser: AdaGrad, plan: PassPlan
    ) -> list[dict[str, float]]:
        """Learn from questions and their answers; the figures of each pass."""
        questions = training_questions(self._graph, self._reading.questions, examples, plan.progress)
        self._alignment = Alignment.learned(questions, self._reading.hops)
        history = learn_in_passes(
            plan, questions, optimiser, lambda question: self._step(question, optimiser)
        )
        if not optimiser.named():
            raise RollcallError(
                "no query that can be grown from the names in these questions gives a right answer, so"
                " nothing can be learned; is it the graph that they are about?"
            )
        return history

    def _step(self, question: TrainingQuestion, optimiser: AdaGrad) -> float | None:
        asking = SempreQuestion(question.reading, self._alignment.without(question.group), optimiser.named())
        parses = self._parser.parses(asking)
        rewards = np.array([reward(question, parse) for parse in parses])
        if not rewards.any():
            return None
        scores = np.array([parse.score for parse in parses])
        optimiser.step(gradient([parse.features for parse in parses], scores, rewards))
        return float(rewards[0])

    def model(self, optimiser: AdaGrad) -> SempreModel:
        """What was learned."""
        table = self._alignment.table(self._graph.index)
        return SempreModel(weights=optimiser.named(), alignment=table, names=self._names, beam=self._beam)

    def f1(self, examples: Sequence[TrainingExample], optimiser: AdaGrad, progress: bool | None) -> float:
        """The mean F1 of the best parses of questions that were not learned from."""
        weights, total = optimiser.named(), 0.0
        for question in training_questions(self._graph, self._reading.questions, examples, progress):
            parses = self._parser.parses(SempreQuestion(question.reading, self._alignment.whole, weights))
            total += reward(question, parses[0]) if parses else 0.0
        return total / len(examples)


def reward(question: TrainingQuestion, parse: Derivation) -> float:
    """The F1 of a parse's answers."""
    if parse.function == "count":
        return question.gold.reward_of_count(len(parse.terms))
    return question.gold.reward(parse.terms)

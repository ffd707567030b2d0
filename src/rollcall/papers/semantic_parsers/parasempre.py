"""A trained `parasempre`: the candidate whose utterance paraphrases a question best.

- `Templates`: candidate queries, filled from the names of a question over the facts there are.
- `ParasempreInterpreter`: interprets questions with a trained model. `ParasempreLearning`: trains one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, permutations
from typing import NamedTuple

import numpy as np

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.mine.neighbourhood import FORWARD, Neighbourhood
from rollcall.papers.semantic_parsers.alignment import (
    AlignedWords,
    Counts,
    GraphReading,
    Names,
    Table,
    TrainingQuestion,
    add_to,
    content_words,
    kinds_of,
    paths_from,
    popularity_of,
    question_word,
    size_of,
    tag,
)
from rollcall.papers.semantic_parsers.learning import (
    AdaGrad,
    FeatureRows,
    Floats,
    Interpretation,
    Measures,
    PassPlan,
    StoredModel,
    agreeing_share,
    learn_in_passes,
    nothing_found,
    pulls,
    training_questions,
    weighed,
)
from rollcall.systems.ask.forms import (
    Apart,
    ComparisonForm,
    Constant,
    Form,
    Function,
    Hop,
    JoinedForms,
    Members,
    query_of,
)
from rollcall.systems.ask.mentions import RelationPhrases, families, without_marks
from rollcall.systems.ask.ranking import RelationLikeness, common
from rollcall.systems.ask.reading import QuestionReading
from rollcall.systems.ask.words import Word, mask_of, roots_of, words_of
from rollcall.systems.retrieve.encoder import Vectors
from rollcall.systems.train.training_example import TrainingExample
from rollcall.wording.nouns import class_noun

# Candidate queries: a fixed set of templates, filled from the names of a question over the facts there are.
# One relation from a name, two in a row, two conditions at once; each also with a class that the question
# names, a comparison with a value, counted, or by a superlative. Candidates without answers are never made.


_ENTITIES, _HOMONYMS, _FAR = 8, 3, 3
"""Entities from which queries are grown, those of one name, and those with two relations in a row."""
_LEAST_NAME = 0.3
_PAIRED = 60
"""Sets of one name that are tried with those of another."""
_ORDERED = 200
"""Superlatives that are tried."""


class FilledTemplate(NamedTuple):
    """A candidate query with its answers."""

    template: str
    form: Form
    terms: Numbers
    """Its answers, sorted; for a count, what is counted."""
    mask: int
    """The words of names, classes, values and signs that it uses."""
    hops: tuple[tuple[int, int], ...]
    """Its relations and their directions."""
    quality: float
    """Of its names, from 0 to 1."""
    function: str = ""


class Templates:
    """Fills templates over one graph."""

    def __init__(self, measures: Measures, hops: Neighbourhood) -> None:
        self._index, self._measures, self._hops = measures.index, measures, hops

    def filled(self, reading: QuestionReading, most: int) -> list[FilledTemplate]:
        """The candidates of a question: those that use more of its words first, at most `most`."""
        near, far = self._from_names(reading)
        valued = list(self._compared(reading))
        plain = [*near, *valued, *_intersections(near, valued), *far]
        classes = list(self._classes(reading))
        typed = [
            both
            for candidate in plain
            for class_ in classes
            if (both := _of_class(candidate, class_)) is not None
        ]
        candidates = [*plain, *typed]
        candidates += self._functions(reading, [*typed, *near, *valued, *classes])
        order = sorted(candidates, key=lambda candidate: (-candidate.mask.bit_count(), len(candidate.hops)))
        return list({candidate.form: candidate for candidate in reversed(order[:most])}.values())[::-1]

    def _from_names(self, reading: QuestionReading) -> tuple[list[FilledTemplate], list[FilledTemplate]]:
        """What one relation and what two lead to, from the entities that the question may name."""
        near, far = [], []
        named = [
            (mention, entity)
            for mention in reading.entities
            if mention.quality >= _LEAST_NAME
            for entity in mention.entities[:_HOMONYMS]
        ][:_ENTITIES]
        for rank, (mention, entity) in enumerate(named):
            for path, terms in paths_from(self._index, self._hops, entity):
                form: Form = Constant(entity)
                for hop in path:
                    form = Hop(form, *divmod(hop, 2))
                hops = tuple(divmod(hop, 2) for hop in path)
                if len(path) == 1:
                    near.append(FilledTemplate("relation", form, terms, mention.mask, hops, mention.quality))
                elif rank >= _FAR:
                    break
                elif len(terms):
                    far.append(
                        FilledTemplate("two relations", form, terms, mention.mask, hops, mention.quality)
                    )
        return near, far

    def _compared(self, reading: QuestionReading) -> Iterator[FilledTemplate]:
        for value, mask in reading.values:
            for relation, form, terms in self._measures.compared(value):
                function = "" if form.comparator == "=" else form.comparator
                yield FilledTemplate("comparison", form, terms, mask, ((relation, 1),), 1.0, function)

    def _classes(self, reading: QuestionReading) -> Iterator[FilledTemplate]:
        for mention in reading.classes:
            terms = self._index.members(self._index.class_ids[mention.class_])
            if len(terms):
                yield FilledTemplate(
                    "class", Members(mention.class_), terms, mention.mask, (), mention.quality
                )

    def _functions(
        self, reading: QuestionReading, sets: Iterable[FilledTemplate]
    ) -> Iterator[FilledTemplate]:
        plain = [candidate for candidate in sets if not candidate.function]
        if reading.kind.counts:
            asking = mask_of(
                [position for position, word in enumerate(reading.words) if word.folded in ("how", "many")]
            )
            for candidate in plain:
                if int(candidate.terms[-1]) < self._index.entity_count and candidate.hops:
                    yield candidate._replace(
                        template=f"count of {candidate.template}", form=Function("count", candidate.form),
                        mask=candidate.mask | asking, function="count",
                    )  # fmt: skip
        tried = 0
        for sign in reading.signs.superlatives:
            for candidate in plain:
                for form, terms, hops in self._measures.extremes(
                    candidate.form, candidate.terms, sign.extreme
                ):
                    tried += 1
                    yield candidate._replace(
                        template=f"{sign.extreme} of {candidate.template}", form=form, terms=terms,
                        mask=candidate.mask | sign.mask, hops=(*candidate.hops, *hops), function=form.name,
                    )  # fmt: skip
                if tried >= _ORDERED:
                    return


def _intersections(near: list[FilledTemplate], valued: list[FilledTemplate]) -> Iterator[FilledTemplate]:
    """Two conditions on the same things, by different words."""
    first = near[:_PAIRED]
    for index, left in enumerate(near[: 2 * _PAIRED]):
        for right in (*first[index + 1 :], *valued):
            if not left.mask & right.mask and (both := _both("two conditions", left, right)) is not None:
                yield both


def _of_class(candidate: FilledTemplate, class_: FilledTemplate) -> FilledTemplate | None:
    return (
        None if candidate.mask & class_.mask else _both(f"{candidate.template} of a class", class_, candidate)
    )


def _both(template: str, left: FilledTemplate, right: FilledTemplate) -> FilledTemplate | None:
    terms = common(left.terms, right.terms)
    if not len(terms) or (left.function and right.function):
        return None
    return FilledTemplate(
        template, JoinedForms("and", left.form, right.form), terms, left.mask | right.mask,
        (*left.hops, *right.hops), min(left.quality, right.quality), left.function or right.function,
    )  # fmt: skip


# Canonical utterances: a candidate query in English, by a few rules and the names of its relations.
# Names of entities and values are left out (X), since question and utterance have them in common: what
# is compared is the rest. With the graph's labels alone a relation is "the director of X" or "has
# director X"; with the lexicon it is said by its clause.

_COMPARED = {"=": "", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
_EXTREMES = {"max": "greatest", "argmax": "greatest", "min": "least", "argmin": "least"}


class CanonicalUtterances:
    """Says queries over one graph."""

    def __init__(self, index: GraphIndex, phrases: RelationPhrases) -> None:
        self._index, self._phrases = index, phrases
        self._noun = lru_cache(maxsize=None)(self._noun_of)
        self._clause = lru_cache(maxsize=None)(self._clause_of)

    def of(self, form: Form) -> str:
        """A query in words."""
        match form:
            case Function("count", source):
                return f"how many {self._question(source)}"
            case Function(("argmax" | "argmin") as name, source, relation):
                return f"what {self._question(source)} has the {_EXTREMES[name]} {self._noun(relation)}"
            case Function(name, source):
                return f"what is the {_EXTREMES[name]} {self._phrase(source)}"
        return f"what {self._question(form)}"

    def _question(self, form: Form) -> str:
        """A set after a question word: its class, and what is said of it."""
        match form:
            case Members(class_):
                return self._class(class_)
            case JoinedForms(_, Members(class_), other):
                return f"{self._class(class_)} {self._predicate(other)}"
        return self._predicate(form)

    def _predicate(self, form: Form) -> str:
        match form:
            case Hop(source, relation, direction) if direction == FORWARD:
                return f"is the {self._noun(relation)} of {self._phrase(source)}"
            case Hop(source, relation, _):
                return f"{self._clause(relation)} {self._phrase(source)}"
            case ComparisonForm(relation, comparator, _):
                return " ".join(f"has {self._noun(relation)} {_COMPARED[comparator]} X".split())
            case JoinedForms(_, left, right):
                return f"{self._predicate(left)} and {self._predicate(right)}"
            case Members(class_):
                return f"is {self._class(class_)}"
        raise AssertionError(f"{form} is nothing that a template makes")

    def _phrase(self, form: Form) -> str:
        """A set as a noun phrase."""
        match form:
            case Constant():
                return "X"
            case Hop(source, relation, direction) if direction == FORWARD:
                return f"{self._noun(relation)} of {self._phrase(source)}"
            case Apart(source):
                return self._phrase(source)
        return f"what {self._question(form)}"

    def _noun_of(self, relation: int) -> str:
        entry = self._phrases.entries[relation]
        return entry.noun or self._phrases.labels[relation]

    def _clause_of(self, relation: int) -> str:
        entry = self._phrases.entries[relation]
        return f"has {self._noun(relation)}" if entry.generic else without_marks(entry.forward)

    def _class(self, class_: int) -> str:
        id_ = self._index.class_ids[class_]
        return class_noun(self._index.class_labels[class_] or id_, id_).one


# Which words of questions go with which words of utterances: counted on paraphrases. Two questions of
# one cluster, or two wordings of one question, are paraphrases of each other; so are a question and the
# utterances of the candidates that give its answers. Counts of a question's own cluster are left out
# while it is learned from.


class Association:
    """All counts of a training."""

    def __init__(self, counts: Counts[str]) -> None:
        self._counts = counts
        self._groups: dict[str, Counts[str]] = {}

    def learn(self, group: str, words: Iterable[str], other_words: Iterable[str], weight: float) -> None:
        """Count the words of two paraphrases, those of the first with those of the second."""
        own = self._groups.setdefault(group, {})
        others = list(other_words)
        for table in (self._counts, own):
            for key in others:
                add_to(table, "", key, weight)
            for word in words:
                for key in others:
                    add_to(table, word, key, weight)

    def without(self, group: str) -> AlignedWords[str]:
        """The counts of all questions but those of a group."""
        return AlignedWords(self._counts, self._groups.get(group))

    @property
    def whole(self) -> AlignedWords[str]:
        return AlignedWords(self._counts)

    def table(self) -> Table:
        """The counts, to be stored."""
        return {
            word: {key: round(times, 6) for key, times in sorted(row.items())}
            for word, row in sorted(self._counts.items())
        }

    @classmethod
    def opened(cls, table: Mapping[str, dict[str, float]]) -> "Association":
        return cls(dict(table))


# How well a canonical utterance paraphrases a question: the association model, and the shape of the
# query. Words are equal by their roots, related by the families of `related_words` (in the publication:
# WordNet), or associated by counts on paraphrases. Words of the question that nothing explains are
# deletions, those of the utterance insertions.

_ASSOCIATED = 0.2
"""A word with this lift is explained by another."""
_X = "x"


class TextWords(NamedTuple):
    """A question without its names, or an utterance."""

    content: tuple[Word, ...]
    """The words that say something, each root once."""
    pairs: frozenset[tuple[str, str]]
    """Neighbouring words, whichever they are."""


def text_of(words: Sequence[Word]) -> TextWords:
    """A text by its words."""
    content = {word.root: word for word in words if not word.is_empty and word.folded != _X}
    roots = [word.root for word in words if word.folded.isalnum()]
    return TextWords(tuple(content.values()), frozenset(pairwise(roots)))


@lru_cache(1 << 16)
def utterance(text: str) -> TextWords:
    """An utterance by its words."""
    return text_of(words_of(text))


def without_names(reading: QuestionReading, mask: int) -> TextWords:
    """A question with X for the words of a mask."""
    kept: list[Word] = []
    for position, word in enumerate(reading.words):
        if not mask >> position & 1:
            kept.append(word)
        elif not kept or kept[-1].folded != _X:
            kept.append(Word(word.start, word.end, _X, _X))
    return text_of(kept)


class Explained(NamedTuple):
    """What the words of an utterance have in common with those of a question."""

    equal: list[str]
    related: list[str]
    lifts: dict[str, float]
    """For each other word of the question how well it is associated."""
    rest: list[Word]
    """The words of the question that are neither equal, related nor associated."""


def explained(question: TextWords, other: TextWords, aligned: AlignedWords[str]) -> Explained:
    """How the words of a question are explained by an utterance."""
    own, others = [word.root for word in question.content], {word.root for word in other.content}
    equal = [root for root in own if root in others]
    related = [root for root in own if root not in others and families().get(root, frozenset()) & others]
    left = [word for word in question.content if word.root not in equal and word.root not in related]
    lifts = {word.root: max((aligned.lift(word.root, key) for key in others), default=0.0) for word in left}
    return Explained(equal, related, lifts, [word for word in left if lifts[word.root] < _ASSOCIATED])


def association(question: TextWords, other: TextWords, aligned: AlignedWords[str]) -> dict[str, float]:
    """The features of the words of a question and an utterance."""
    equal, related, lifts, rest = explained(question, other, aligned)
    others = {word.root for word in other.content}
    known = {*equal, *(relative for root in related for relative in families()[root])}
    inserted = [
        root
        for root in others - known
        if all(aligned.lift(word.root, root) < _ASSOCIATED for word in question.content)
    ]
    count, most = max(len(question.content), 1), max(len(others), 1)
    features = {
        "words: equal": len(equal) / count,
        "words: equal, of the utterance": len(equal) / most,
        "words: related": len(related) / count,
        "words: associated": sum(lifts.values()) / count,
        "words: inserted": float(len(inserted)),
        "pairs: equal": len(question.pairs & other.pairs) / max(len(question.pairs), 1),
        "pairs: equal, of the utterance": len(question.pairs & other.pairs) / max(len(other.pairs), 1),
    }
    for word in rest:
        for name in (f"deleted {tag(word)}", f"deleted: {word.root}"):
            features[name] = features.get(name, 0.0) + 1.0
    return features


def shape(
    reading: QuestionReading,
    candidate: FilledTemplate,
    index: GraphIndex,
    popularity: Sequence[float],
    likenesses: Vectors | None,
) -> dict[str, float]:
    """The features of a candidate apart from its words."""
    features = {
        f"template: {candidate.template}": 1.0,
        f"{'counted' if candidate.function == 'count' else 'answers'}: {size_of(candidate.terms)}": 1.0,
        "quality of names": candidate.quality,
        "words used": float(candidate.mask.bit_count()),
    }
    if candidate.hops:
        features["popularity"] = sum(popularity[relation] for relation, _ in candidate.hops) / len(
            candidate.hops
        )
    if reading.kind.counts and candidate.function != "count":
        features["how many, not counted"] = 1.0
    kinds = ["number"] if candidate.function == "count" else kinds_of(index, candidate.terms)
    for kind in kinds:
        features[f"{question_word(reading.words)}: {kind}"] = 1.0
    if reading.kind.roots:
        named = any(reading.kind.roots[-1] in roots_of(kind) for kind in kinds)
        features[f"the noun asked for is {'a' if named else 'no'} class of the answers"] = 1.0
    if likenesses is not None and candidate.hops:
        alike = np.array([likenesses[relation, direction] for relation, direction in candidate.hops])
        features["vectors: mean"], features["vectors: least"] = float(alike.mean()), float(alike.min())
    return features


# What `parasempre` has learned: the weights of features, and the words that paraphrases have.


class ParasempreModel(StoredModel, frozen=True, kw_only=True):
    """A trained model."""

    file = "parasempre.json"
    association: Table
    candidates: int
    vectors: bool


# The candidates of a question with their utterances and features, over one graph.


class WordedCandidate(NamedTuple):
    """A candidate with its utterance."""

    candidate: FilledTemplate
    utterance: str


class Paraphrases:
    """Makes candidates over one graph, and compares them with questions."""

    def __init__(self, graph: Graph, names: Names, candidates: int, *, vectors: bool) -> None:
        parts = GraphReading(graph, names)
        self.reader, self._index, self._most = parts.questions, graph.index, candidates
        self._templates = Templates(Measures(graph.index), parts.hops)
        self._utterances = CanonicalUtterances(graph.index, parts.phrases)
        self._popularity = popularity_of(graph.index)
        self._likeness = (
            RelationLikeness(graph, parts.phrases, f"asking_vectors_{names}") if vectors else None
        )

    def candidates(self, reading: QuestionReading) -> list[WordedCandidate]:
        """The candidates of a question."""
        filled = self._templates.filled(reading, self._most)
        return [WordedCandidate(candidate, self._utterances.of(candidate.form)) for candidate in filled]

    def features(
        self, reading: QuestionReading, worded: list[WordedCandidate], aligned: AlignedWords[str]
    ) -> list[dict[str, float]]:
        """The features of candidates."""
        likenesses = self._likeness.to(reading) if self._likeness is not None else None
        texts: dict[int, TextWords] = {}
        words: dict[tuple[int, str], dict[str, float]] = {}
        features = []
        for candidate, text in worded:
            names = candidate.mask & name_mask(reading)
            if names not in texts:
                texts[names] = without_names(reading, names)
            key = (names, text)
            if key not in words:
                words[key] = association(texts[names], utterance(text), aligned)
            features.append(words[key] | shape(reading, candidate, self._index, self._popularity, likenesses))
        return features

    def unexplained(
        self, reading: QuestionReading, worded: WordedCandidate, aligned: AlignedWords[str]
    ) -> tuple[str, ...]:
        """The words of a question that neither names nor the utterance of a candidate explain."""
        question = without_names(reading, worded.candidate.mask)
        rest = explained(question, utterance(worded.utterance), aligned).rest
        return tuple(reading.question[word.start : word.end] for word in rest)


def name_mask(reading: QuestionReading) -> int:
    """The words of names and values, which an utterance leaves out."""
    mask = 0
    for mention in reading.entities:
        mask |= mention.mask
    for _, value_mask in reading.values:
        mask |= value_mask
    return mask


class ParasempreInterpreter:
    """Interprets questions about one graph."""

    def __init__(self, graph: Graph, model: ParasempreModel) -> None:
        self._index = graph.index
        self._paraphrases = Paraphrases(graph, model.names, model.candidates, vectors=model.vectors)
        self._aligned = Association.opened(model.association).whole
        self._weights = model.weights

    def understand(self, question: str) -> Interpretation:
        """The query that a question asks for."""
        reading = self._paraphrases.reader.read(question)
        worded = self._paraphrases.candidates(reading)
        features = self._paraphrases.features(reading, worded, self._aligned)
        scores = np.array([weighed(own, self._weights) for own in features])
        for index in np.argsort(-scores, kind="stable").tolist():
            best = worded[index].candidate
            try:
                query = query_of(best.form, self._index)
            except RollcallError:  # what the query language cannot say
                continue
            sure = agreeing_share(scores, [candidate.candidate for candidate in worded], best)
            left = self._paraphrases.unexplained(reading, worded[index], self._aligned)
            return Interpretation(question, query, sure, left)
        return nothing_found(reading)


# How `parasempre` learns: candidates that give right answers should paraphrase their questions best.
# Candidates do not depend on the weights, so they are made once. Which of them is meant is not given;
# each is rewarded by the F1 of its answers.

_NEAR_BEST = 0.7
_PARAPHRASES = 6
"""Paraphrases of a cluster that are compared with each other."""


class Ranked(NamedTuple):
    """The candidates of a question and their rewards."""

    rows: FeatureRows
    rewards: Floats


class ParasempreLearning:
    """Learns to rank candidates over one graph."""

    def __init__(self, graph: Graph, paraphrases: Paraphrases) -> None:
        self._graph, self._paraphrases = graph, paraphrases
        self.association = Association({})

    def learn(
        self, examples: Sequence[TrainingExample], optimiser: AdaGrad, plan: PassPlan
    ) -> list[dict[str, float]]:
        """Learn from questions and their answers; the figures of each pass."""
        questions = training_questions(self._graph, self._paraphrases.reader, examples, plan.progress)
        self._learn_paraphrases(examples, questions)
        rewarded = []
        with Progress("candidates", len(questions), count=True, show=plan.progress) as bar:
            for question in questions:
                worded = self._paraphrases.candidates(question.reading)
                rewards = np.array([_reward(question, candidate) for candidate in worded])
                rewarded.append((worded, rewards))
                self._learn_utterances(question, worded, rewards)
                bar.advance(1)
        if not any(rewards.any() for _, rewards in rewarded):
            raise RollcallError(
                "no query that can be grown from the names in these questions gives a right answer, so"
                " nothing can be learned; is it the graph that they are about?"
            )
        ranked = list(self._ranked(questions, rewarded, optimiser, plan.progress))
        return learn_in_passes(
            plan, ranked, optimiser, lambda ranked_question: _step(ranked_question, optimiser)
        )

    def f1(self, examples: Sequence[TrainingExample], optimiser: AdaGrad, progress: bool | None) -> float:
        """The mean F1 of the best candidates of questions that were not learned from."""
        aligned, total, weights = self.association.whole, 0.0, optimiser.named()
        for question in training_questions(self._graph, self._paraphrases.reader, examples, progress):
            worded = self._paraphrases.candidates(question.reading)
            if worded:
                features = self._paraphrases.features(question.reading, worded, aligned)
                scores = [weighed(own, weights) for own in features]
                total += _reward(question, worded[int(np.argmax(scores))])
        return total / len(examples)

    def _ranked(
        self,
        questions: Sequence[TrainingQuestion],
        rewarded: "Sequence[tuple[list[WordedCandidate], Floats]]",
        optimiser: AdaGrad,
        progress: bool | None,
    ) -> Iterator[Ranked]:
        with Progress("features", len(questions), count=True, show=progress) as bar:
            for question, (worded, rewards) in zip(questions, rewarded, strict=True):
                aligned = self.association.without(question.group)
                features = self._paraphrases.features(question.reading, worded, aligned)
                yield Ranked(FeatureRows.of(features, optimiser), rewards)
                bar.advance(1)

    def _learn_paraphrases(
        self, examples: Sequence[TrainingExample], questions: Sequence[TrainingQuestion]
    ) -> None:
        """Count the words of questions of one cluster, and of several wordings of one question."""
        groups: dict[str, dict[str, list[str]]] = {}
        for example, question in zip(examples, questions, strict=True):
            own = groups.setdefault(question.group, {})
            readings = [question.reading, *map(self._paraphrases.reader.read, example.wordings)]
            for reading in readings:
                own[reading.question] = content_words(reading, name_mask(reading))
        for group, texts in groups.items():
            for words, others in permutations(list(texts.values())[:_PARAPHRASES], 2):
                self.association.learn(group, words, others, 1.0 / len(texts))

    def _learn_utterances(
        self, question: TrainingQuestion, worded: Sequence[WordedCandidate], rewards: Floats
    ) -> None:
        """Count the words of a question with those of the candidates that answer it best."""
        if not rewards.any():
            return
        best = {
            text: reward
            for (_, text), reward in zip(worded, rewards.tolist(), strict=True)
            if reward >= _NEAR_BEST * rewards.max()
        }
        asked = without_names(question.reading, name_mask(question.reading))
        for text, reward in best.items():
            words = [word.root for word in utterance(text).content]
            self.association.learn(
                question.group, [word.root for word in asked.content], words, reward / len(best)
            )


def _step(ranked: Ranked, optimiser: AdaGrad) -> float | None:
    """Take one step; the F1 of the best candidate before it, or None if no candidate has a right answer."""
    if not ranked.rewards.any():
        return None
    scores = ranked.rows.scores(optimiser.values)
    ranked.rows.step(optimiser, pulls(scores, ranked.rewards))
    return float(ranked.rewards[int(scores.argmax())])


def _reward(question: TrainingQuestion, worded: WordedCandidate) -> float:
    """The F1 of a candidate's answers."""
    candidate = worded.candidate
    return (
        question.gold.reward_of_count(len(candidate.terms))
        if candidate.function == "count"
        else question.gold.reward(candidate.terms)
    )

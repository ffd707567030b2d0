"""Ranks whole candidates: the final features of each piece, its score, and the best queries, each once."""

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall._core.onnx_networks import WordEmbeddings, open_network, open_tokenizer
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained, expand, ranges, unique_sorted
from rollcall.mine.neighbourhood import BACKWARD, FORWARD
from rollcall.systems.ask.forms import (
    FEATURES,
    LOCAL,
    Function,
    Local,
    Members,
    Piece,
    QueryCandidate,
    named,
    query_of,
)
from rollcall.systems.ask.mentions import ClassMentions, RelationPhrases, families, without_marks
from rollcall.systems.ask.name_index import kept_part
from rollcall.systems.ask.reading import QuestionReading
from rollcall.systems.ask.words import AskedKind, kind_of_end, places_of, roots_of
from rollcall.systems.retrieve.encoder import Encoder, Vectors, default_model, fingerprint
from rollcall.wording.entry import Entry

# Whether the answers of a candidate are of the kind that a question asks for. The nouns of the
# relation's end decide, and the classes of the answers where the graph has classes.

_SAME_NOUN, _SAME_KIND, _OTHER_NOUN, _OTHER_KIND = 1.0, 0.7, -0.1, -1.0
_ANY_PERSON = 0.5
"""Any people, where those of a trade are asked for that the graph has: novelists."""
_SAMPLE = 20
_MOSTLY, _MEMBER, _NO_MEMBER = 0.5, 0.8, 1.0
"""The share of answers in the class that is asked for from which they fit, how well, and what others lose."""


class KindFit:
    """Compares answers with what is asked for, in one graph."""

    def __init__(self, graph: Graph, phrases: RelationPhrases, classes: ClassMentions) -> None:
        self._index, self._phrases = graph.index, phrases
        self._people = sorted(classes.people)

    def of(self, reading: QuestionReading, piece: Piece) -> float:
        """How well the answers fit, from -1 to 1."""
        asked = reading.kind
        if asked.mask & piece.typed:
            return _SAME_NOUN
        fit = self._of_ends(asked, piece)
        if fit == _SAME_NOUN or not asked.mask:
            return fit
        if fit == _SAME_KIND and asked.kind == "person" and reading.is_name(asked.mask):
            fit = _ANY_PERSON
        shares = [
            self._share(piece, mention.class_)
            for mention in reading.classes
            if mention.mask & asked.mask and mention.quality == 1.0
        ]
        if not shares or not self._has_classes(piece):
            return fit
        return max(fit, _MEMBER) if max(shares) >= _MOSTLY else max(fit - _NO_MEMBER, _OTHER_KIND)

    def _of_ends(self, asked: AskedKind, piece: Piece) -> float:
        if asked.kind == "any" or not piece.hops:
            return 0.0
        if any(asked.mask & mask for mask, meaning in piece.uses if isinstance(meaning, Members)):
            return _OTHER_KIND  # the class that is asked for is used for something else
        return max(self._of_end(asked, piece, *hop) for hop in piece.hops)

    def _share(self, piece: Piece, class_: int) -> float:
        """The share of the answers, or of some of them, that are members of a class."""
        members = self._index.members(self._index.class_ids[class_])
        return float(contained(piece.terms[:_SAMPLE], members).mean())

    def _has_classes(self, piece: Piece) -> bool:
        """Whether the graph has classes of some answers."""
        terms = entities_among(self._index, piece.terms)[:_SAMPLE]
        return any(len(self._index.direct_types(entity)) for entity in terms.tolist())

    def _of_end(self, asked: AskedKind, piece: Piece, relation: int, direction: int) -> float:
        ends = self._phrases.ends(relation)
        noun = ends.objects if direction == FORWARD else ends.subjects
        if asked.roots and self._is_said(asked, noun, relation, direction):
            return _SAME_NOUN
        if asked.roots and set(roots_of(noun)) & families().get(asked.roots[-1], frozenset()):
            return _SAME_KIND
        end_kind = kind_of_end(noun)
        if asked.kind == "no value":
            return _OTHER_KIND if end_kind in ("date", "number") else 0.0
        may_be_people = end_kind in ("any", "person", "thing") and self._people
        if may_be_people and asked.kind == "person" and self._has_classes(piece):
            return _SAME_KIND if self._are_people(piece) else _OTHER_KIND
        if end_kind == "any" or asked.kind == "any":
            return 0.0
        if end_kind == asked.kind:
            return _OTHER_NOUN if end_kind == "thing" else _SAME_KIND
        return 0.0 if {end_kind, asked.kind} == {"place", "thing"} else _OTHER_KIND

    def _is_said(self, asked: AskedKind, noun: str, relation: int, direction: int) -> bool:
        """Whether the noun that is asked for is the noun of the end, or the relation's own noun for it."""
        nouns = {noun}
        if direction == FORWARD:
            nouns |= {self._phrases.entries[relation].noun, self._phrases.labels[relation]}
        heads = {roots[-1] for phrase in nouns if (roots := roots_of(phrase))} | {
            roots[0] for phrase in nouns if " of " in phrase and (roots := roots_of(phrase))
        }
        return asked.roots[-1] in heads or asked.roots[0] in heads

    def _are_people(self, piece: Piece) -> bool:
        terms = piece.terms[:_SAMPLE]
        if int(terms[0]) >= self._index.entity_count:
            return False
        ids = self._index.class_ids
        people = [contained(terms, self._index.members(ids[class_])).mean() for class_ in self._people]
        return bool(max(people) >= 0.5)


# How like a question is to what asks for a relation, as vectors of a sentence encoder (extra `neural`).
# Every relation is said in both directions with X for the name; in the question, X stands for its best
# name. The vectors of the relations are kept beside the graph. This is one feature among others, since
# it helps where words differ and knows little about who does what to whom.

_VECTORS = "vectors.npy"
_TEXTS = 2


class RelationLikeness:
    """Compares questions with the relations of one graph."""

    def __init__(self, graph: Graph, phrases: RelationPhrases, kept: str = "asking_vectors") -> None:
        """`kept` names the vectors beside the graph; other phrases need another name."""
        model = default_model()
        self._encoder = Encoder(model)
        texts = [
            text for entry in phrases.entries for way in (FORWARD, BACKWARD) for text in _wordings(entry, way)
        ]

        def make(folder: Path) -> None:
            np.save(folder / _VECTORS, self._encoder.encode_reproducibly(texts))

        vectors_folder = kept_part(graph, kept, f"1 {fingerprint(model)}", make)
        self._vectors: Vectors = np.load(vectors_folder / _VECTORS)

    def to(self, reading: QuestionReading) -> Vectors:
        """For every relation and direction how like the question is, from -1 to 1."""
        question = reading.question
        if reading.entities:
            name = reading.entities[0]
            start, end = reading.words[name.first].start, reading.words[name.last - 1].end
            question = f"{question[:start]}X{question[end:]}"
        likenesses = self._vectors @ self._encoder.encode_reproducibly([question])[0]
        best: Vectors = likenesses.reshape(-1, 2, _TEXTS).max(axis=2)
        return best


def unlike(likenesses: Vectors | None, piece: Piece) -> float:
    """How unlike the relations are that lead to the answers of a piece; 0 without a model."""
    if likenesses is None or not piece.hops:
        return 0.0
    return float(1.0 - max(likenesses[relation, direction] for relation, direction in piece.hops))


def _wordings(entry: Entry, direction: int) -> tuple[str, str]:
    """A relation in two ways of asking for one of its ends."""
    clause = without_marks(entry.forward)
    if direction == FORWARD:
        return f"what is the {entry.noun or entry.label} of X?", f"X {clause} what?"
    return f"what {clause} X?", f"what has X as {entry.noun or entry.label}?"


# What a cross-encoder reads of a candidate: the question and the query in words, with letters for names.
# A name says little about what is asked, and there are too many of them to learn, so X, Y and Z stand
# for those that the candidate uses. The question is read as it was understood: misspelt words as they
# should be.

_LETTERS = "XYZWVU"


class TextPair(NamedTuple):
    """The two texts of a candidate."""

    question: str
    wording: str


def pair_of(
    reading: QuestionReading, candidate: QueryCandidate, wording: str, name: Callable[[int], str]
) -> TextPair:
    """The texts of a candidate whose query has this wording; `name` gives the label of an entity."""
    words = [word.folded for word in reading.words]
    named = sorted((mask, meaning) for mask, meaning in candidate.piece.uses if isinstance(meaning, int))
    letters = iter(_LETTERS)
    lettered: list[tuple[str, str]] = []
    for mask, entity in named:
        label, positions = name(entity), places_of(mask)
        if label not in wording or not words[positions[0]]:
            continue  # an adjective such as French stays a word in both texts
        letter = next(letters, "")
        if not letter:
            break
        lettered.append((label, letter))
        for position in positions:
            words[position] = ""
        words[positions[0]] = letter
    # The longest name first, since it may have a shorter one in it.
    for label, letter in sorted(lettered, key=lambda pair: (-len(pair[0]), pair)):
        wording = wording.replace(label, letter)
    return TextPair(" ".join(word for word in words if word), wording)


# A log-linear model over the features of candidates: weights set by hand, few enough to be read.

WEIGHTS: Mapping[str, float] = {
    "unsure name": -1.5,
    "loose match": -1.5,
    "wrong side": -0.7,
    "unnamed relation": -2.2,
    "silent relation": -0.8,
    "hop": -0.4,
    "there and back": -2.0,
    "class": 0.3,
    "join": -0.1,
    "idle denial": -0.5,
    "left over": -2.0,
    "kind": 1.2,
    "ignored sign": -2.0,
    "many answers": -0.05,
    "class alone": -1.0,
    "unlike": -2.0,
}


class LogLinear:
    """Scores candidates by a weighted sum of their features."""

    def __init__(self, weights: Mapping[str, float] = WEIGHTS) -> None:
        self.weights = dict(weights)
        self._local = tuple(weights[name] for name in LOCAL)
        self._feature_weights = tuple(weights[name] for name in FEATURES)

    def local(self, features: Local) -> float:
        """The score of a part by its local features."""
        return sum(weight * value for weight, value in zip(self._local, features, strict=True))

    def score(self, features: Mapping[str, float]) -> float:
        """The score of a whole candidate."""
        return sum(
            weight * features[name] for name, weight in zip(FEATURES, self._feature_weights, strict=True)
        )


def probabilities(scores: Sequence[float]) -> list[float]:
    """The share of each candidate, if one of them is right."""
    if not scores:
        return []
    greatest = max(scores)
    weights = [math.exp(score - greatest) for score in scores]
    return [weight / sum(weights) for weight in weights]


SHOWN = 8
"""How many candidates there are of a question."""
_FITTING = 0.7
"""Answers that fit so well explain the noun of what is asked for."""


class Ranking:
    """Ranks the candidates of questions about one graph."""

    def __init__(self, index: GraphIndex, kinds: KindFit, model: LogLinear) -> None:
        self._index, self._kinds, self._model = index, kinds, model

    def best(
        self,
        reading: QuestionReading,
        pieces: Iterable[Piece],
        likenesses: Vectors | None = None,
        most: int = SHOWN,
    ) -> list[QueryCandidate]:
        """The best candidates, at most `most` of them, each query once."""
        scored = []
        for piece in pieces:
            features = self._features(reading, piece, likenesses)
            scored.append((self._model.score(features), features, piece))
        scored.sort(key=lambda entry: -entry[0])
        candidates: dict[str, QueryCandidate] = {}
        for score, features, piece in scored[: 4 * most]:
            try:
                query = query_of(piece.form, self._index)
            except RollcallError:  # what the query language cannot say, such as two functions
                continue
            candidates.setdefault(query.text, QueryCandidate(query, score, features, piece))
            if len(candidates) == most:
                break
        return list(candidates.values())

    def _features(
        self, reading: QuestionReading, piece: Piece, likenesses: Vectors | None
    ) -> dict[str, float]:
        kind = self._kinds.of(reading, piece)
        uncounted = False
        if reading.kind.counts and not (isinstance(piece.form, Function) and piece.form.name == "count"):
            if int(piece.terms[-1]) >= self._index.entity_count:
                kind = 1.0  # a number that the graph has, such as the number of children
            else:
                uncounted = True
        final = (
            reading.left_over(explained(reading, piece, kind), piece.nouns),
            kind,
            reading.signs.ignored(piece.mask) + uncounted,
            math.log1p(len(piece.terms)),
            float(isinstance(piece.form, Members)),
            unlike(likenesses, piece),
        )
        return named(piece.features, final)


def explained(reading: QuestionReading, piece: Piece, kind: float) -> int:
    """The words that a candidate explains: its own, and the noun of what is asked for if the answers fit."""
    return piece.explained | (reading.kind.mask if kind >= _FITTING else 0)


# Ranks the candidates of a question again: their features with learned weights, and a cross-encoder. The
# cross-encoder reads the question with the query in words, so it knows wordings that no list has; the
# features know the graph. Both weights, and how sure a reading is, were fitted to questions that the
# cross-encoder had not seen.

SETTINGS = "ask.json"
NETWORK = "network"
"""The name of the cross-encoder's score among the features of a candidate."""
SURETY = ("share", "left over", "unnamed relation", "unsure name", "alone")
"""What a reading's surety depends on: the log-odds of its share among the candidates, some of its features,
and whether there is no other candidate."""
SURETY_WEIGHTS: Mapping[str, float] = {
    "share": 0.661,
    "left over": -0.801,
    "unnamed relation": -2.23,
    "unsure name": -2.24,
    "alone": 1.068,
    "constant": 0.992,
}
"""How sure a reading is by its features alone; `benchmarks/bench_asking.py --plain` fits them."""
_LEAST_SHARE = 1e-4


class RerankerSettings(msgspec.Struct, frozen=True):
    """What was fitted."""

    length: int
    """The greatest number of tokens of a pair."""
    weights: dict[str, float]
    """Of the features, and of the cross-encoder's score."""
    surety: dict[str, float]
    """Of a logistic regression, with its `constant`."""

    def score(self, features: Mapping[str, float]) -> float:
        """The score of a candidate by its features, among them the cross-encoder's score."""
        return sum(weight * features[name] for name, weight in self.weights.items())


class PairScorer(Protocol):
    """A cross-encoder."""

    @property
    def fingerprint(self) -> str:
        """What tells its weights from others."""

    def scores(self, pairs: Sequence[TextPair]) -> list[float]:
        """How well each wording says what its question asks."""


class Reranker:
    """Ranks candidates by a cross-encoder and their features."""

    def __init__(self, settings: RerankerSettings, scorer: PairScorer) -> None:
        self._settings, self._scorer = settings, scorer

    @cached_property
    def version(self) -> str:
        """What tells this reranker from others."""
        content = msgspec.json.encode([self._settings, self._scorer.fingerprint], order="sorted")
        return hashlib.sha256(content).hexdigest()[:16]

    def ranked(
        self,
        reading: QuestionReading,
        candidates: Sequence[QueryCandidate],
        words: Callable[[QueryCandidate], str],
        name: Callable[[int], str],
    ) -> list[QueryCandidate]:
        """The candidates with their new scores, best first."""
        pairs = [pair_of(reading, candidate, words(candidate), name) for candidate in candidates]
        rescored = []
        for candidate, score in zip(candidates, self._scorer.scores(pairs), strict=True):
            features = {**candidate.features, NETWORK: score}
            rescored.append(replace(candidate, features=features, score=self._settings.score(features)))
        ranked = sorted(rescored, key=lambda candidate: -candidate.score)
        best = next(candidate for candidate in rescored if _says_the_same(candidate, ranked[0]))
        return [best, *(candidate for candidate in ranked if candidate is not best)]

    def surety(self, signals: Sequence[float]) -> float:
        """How likely the answers of a reading with these signals are right."""
        return surety(signals, self._settings.surety)


def _says_the_same(candidate: QueryCandidate, other: QueryCandidate) -> bool:
    """Whether candidates differ in what the graph does not tell apart, such as the class of films.

    Then the features know better which of them says what the question says.
    """
    return candidate.query.relations == other.query.relations and candidate.agrees_with(other)


def surety_inputs(share: float, features: Mapping[str, float], *, alone: bool) -> list[float]:
    """What the surety of a reading depends on."""
    kept = min(max(share, _LEAST_SHARE), 1.0 - _LEAST_SHARE)
    odds = 0.0 if alone else math.log(kept / (1.0 - kept))
    return [odds, *(features[name] for name in SURETY[1:4]), float(alone)]


def surety_signals(ranked: Sequence[QueryCandidate]) -> list[float]:
    """What the surety of the first of some candidates depends on."""
    shares = probabilities([candidate.score for candidate in ranked])
    agreeing = [candidate.agrees_with(ranked[0]) for candidate in ranked]
    share = sum(own for own, agrees in zip(shares, agreeing, strict=True) if agrees)
    return surety_inputs(share, ranked[0].features, alone=all(agreeing))


def surety(signals: Sequence[float], weights: Mapping[str, float]) -> float:
    """The probability of a logistic regression with such weights."""
    odds = weights["constant"] + sum(
        weights[name] * value for name, value in zip(SURETY, signals, strict=True)
    )
    return 1.0 / (1.0 + math.exp(-odds))


def unsaid(candidate: QueryCandidate) -> float:
    """How many relations a candidate has of which the question says nothing at all: "Acme Runner?".

    No cross-encoder can know what such a question means, and no question that it learned from is like it.
    """
    features = candidate.features
    return 0.0 if features["left over"] else features["unnamed relation"]


def read_reranker_settings(folder: Path) -> RerankerSettings:
    """The settings in a folder of a trained `ask`."""
    try:
        settings = msgspec.json.decode((folder / SETTINGS).read_bytes(), type=RerankerSettings)
    except (OSError, *UNREADABLE) as error:
        raise RollcallError(f"{folder / SETTINGS}: cannot be read ({error}); train again") from None
    if set(settings.weights) != {*FEATURES, NETWORK} or set(settings.surety) != {*SURETY, "constant"}:
        raise RollcallError(f"{folder / SETTINGS}: is of another version of Rollcall; train again")
    return settings


# Cross-encoders that score pairs: the packaged one in int8 by onnxruntime, or one that a user has
# trained. The packaged one has the embeddings of words and the tokenizer in common with the model of the
# verifier `learned`, which is in the same package; so it takes embeddings in place of words. All
# candidates of a question are read at once, and with nothing else, so that the scores of a question are
# always the same.

MODEL = "model.onnx"
"""The network of a packaged model."""
_OF = "the packaged model of ask"


def packaged_reranker() -> Reranker | None:
    """The packaged reranker; None where it, or what runs it, is missing (`pip install rollcall-models`)."""
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in ("onnxruntime", "tokenizers", "rollcall_models")):
        return None
    import rollcall_models

    if not hasattr(rollcall_models, "ask_model"):  # an older release
        return None
    return Reranker(
        read_reranker_settings(rollcall_models.ask_model()),
        PackagedScorer(rollcall_models.ask_model(), rollcall_models.statement_model()),
    )


def trained_reranker(folder: Path) -> Reranker:
    """The reranker in a folder that `rollcall train ask` made (extra `neural`)."""
    from rollcall.systems.train.model_folder import read_about

    read_about(folder, "ask")
    settings = read_reranker_settings(folder)
    return Reranker(settings, TrainedScorer(folder, settings))


class PackagedScorer:
    """A network of onnxruntime, loaded when it is first used."""

    def __init__(self, folder: Path, shared: Path) -> None:
        """`shared` is the folder with the tokenizer and the embeddings of words."""
        self._folder, self._shared = folder, shared
        self._words = WordEmbeddings(shared)

    @property
    def fingerprint(self) -> str:
        return _hash(self._folder / MODEL)

    def scores(self, pairs: Sequence[TextPair]) -> list[float]:
        encoded = [self._tokenizer.encode(*pair) for pair in pairs]
        length = max(len(encoding.ids) for encoding in encoded)
        tokens, mask, types = (np.zeros((len(pairs), length), np.int64) for _ in range(3))
        for row, encoding in enumerate(encoded):
            tokens[row, : len(encoding.ids)], types[row, : len(encoding.ids)] = (
                encoding.ids,
                encoding.type_ids,
            )
            mask[row, : len(encoding.ids)] = 1
        arrays = {"embeddings": self._words.of(tokens), "mask": mask, "types": types}
        scores: list[float] = self._session.run(["score"], arrays)[0].tolist()
        return scores

    @cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._shared / "tokenizer.json", _OF)

    @cached_property
    def _session(self) -> Any:
        return open_network(self._folder / MODEL, self._folder, _OF)


class TrainedScorer:
    """A network of torch, as it was trained."""

    def __init__(self, folder: Path, settings: RerankerSettings) -> None:
        from rollcall.systems.train.encoder_network import PAIR_HEADS, PairNetwork

        self._network = PairNetwork.load(folder, PAIR_HEADS, settings.length)
        self._folder = folder

    @property
    def fingerprint(self) -> str:
        return " ".join(_hash(file) for file in sorted(self._folder.glob("*.safetensors")))

    def scores(self, pairs: Sequence[TextPair]) -> list[float]:
        return self._network.scores(pairs)


def _hash(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise RollcallError(f"{file}: cannot be read ({error})") from None


# Sets of terms: what a hop reaches from many entities at once, and what two sets have in common.


def entities_among(index: GraphIndex, terms: Numbers) -> Numbers:
    """The entities of some sorted terms."""
    return terms[: terms.searchsorted(index.entity_count)]


def image(index: GraphIndex, entities: Numbers, relation: int, direction: int) -> Numbers:
    """All terms that a hop reaches from some entities, sorted."""
    pairs = index.forward(relation) if direction == FORWARD else index.backward(relation)
    _, indices = expand(*ranges(pairs[0], entities))
    return unique_sorted(pairs[1][indices]) if len(indices) else pairs[1][:0]


def common(first: Numbers, second: Numbers) -> Numbers:
    """The terms that two sorted sets share; the smaller is looked up in the larger."""
    smaller, larger = (first, second) if len(first) <= len(second) else (second, first)
    return smaller[contained(smaller, larger)]

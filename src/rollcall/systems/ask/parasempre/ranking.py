"""The candidates of a question with their utterances and features, over one graph."""

from typing import NamedTuple

from rollcall.graph import Graph
from rollcall.systems.ask.learned.alignment import AlignedWords
from rollcall.systems.ask.learned.measures import Measures
from rollcall.systems.ask.learned.popularity import popularity_of
from rollcall.systems.ask.learned.reading_graphs import GraphReading, Names
from rollcall.systems.ask.likeness import Likeness
from rollcall.systems.ask.parasempre.candidates import FilledTemplate, Templates
from rollcall.systems.ask.parasempre.canonical import CanonicalUtterances
from rollcall.systems.ask.parasempre.paraphrase_features import (
    Text,
    association,
    explained,
    shape,
    utterance,
    without_names,
)
from rollcall.systems.ask.reading import Reading


class Said(NamedTuple):
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
        self._likeness = Likeness(graph, parts.phrases, f"asking_vectors_{names}") if vectors else None

    def said(self, reading: Reading) -> list[Said]:
        """The candidates of a question."""
        filled = self._templates.filled(reading, self._most)
        return [Said(one, self._utterances.of(one.form)) for one in filled]

    def features(
        self, reading: Reading, said: list[Said], aligned: AlignedWords[str]
    ) -> list[dict[str, float]]:
        """The features of candidates."""
        likenesses = self._likeness.to(reading) if self._likeness is not None else None
        texts: dict[int, Text] = {}
        words: dict[tuple[int, str], dict[str, float]] = {}
        found = []
        for one, text in said:
            names = one.mask & name_mask(reading)
            if names not in texts:
                texts[names] = without_names(reading, names)
            key = (names, text)
            if key not in words:
                words[key] = association(texts[names], utterance(text), aligned)
            found.append(words[key] | shape(reading, one, self._index, self._popularity, likenesses))
        return found

    def unexplained(self, reading: Reading, said: Said, aligned: AlignedWords[str]) -> tuple[str, ...]:
        """The words of a question that neither names nor the utterance of a candidate explain."""
        question = without_names(reading, said.candidate.mask)
        rest = explained(question, utterance(said.utterance), aligned).rest
        return tuple(reading.question[word.start : word.end] for word in rest)


def name_mask(reading: Reading) -> int:
    """The words of names and values, which an utterance leaves out."""
    mask = 0
    for one in reading.entities:
        mask |= one.mask
    for _, own in reading.values:
        mask |= own
    return mask

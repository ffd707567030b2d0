"""Adds names to gold answers from a graph ("What's in a Name?"), with the source of each name.

An answer with an entity id gets that entity's names. An answer that is only a string gets the names of the
entity that the string means. A string that means several entities is a homonym; the caller chooses what to do
with it, because the paper does not say.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, get_args

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import replacing
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import AddedAlias, Answer, Question
from rollcall.questions.run import Run
from rollcall.score.columns import GoldSetting
from rollcall.score.graph_names import GraphNames, Lookup
from rollcall.score.positives import Positive, PositiveCounts, positive_passages
from rollcall.score.rules import check_choice, check_count, check_texts

Homonyms = Literal["all", "commonest", "skip"]
Named = TypeVar("Named", bound=Answer)


@dataclass
class Counts:
    """What an expansion did, with the counts of the paper's Table 1."""

    questions: int = 0
    original: int = 0
    matched: int = 0
    augmented: int = 0
    homonyms: int = 0

    def rows(self) -> dict[str, float | int]:
        def per(number: int, of: int) -> float:
            return number / of if of else 0.0

        return {
            "original answers per question": per(self.original, self.questions),
            "matched answers (%)": 100 * per(self.matched, self.original),
            "augmented answers per question": per(self.augmented, self.questions),
            "answers added": self.augmented - self.original,
            "answers with homonyms": self.homonyms,
        }


class Expansion(QuestionSet):
    """A set with added names, and the counts of what was added."""

    def __init__(self, questions: Iterable[Question], manifest: dict[str, object], counts: Counts):
        super().__init__(questions, manifest)
        self.counts = counts
        self.positives: list[Positive] = []
        """Passages that name an answer, if they were searched for."""
        self._positive_counts: PositiveCounts | None = None

    def find_positives(self, run: Run, place: Path | None = None) -> None:
        """Find the retrieved passages that name an answer, and write them to `place` if it is given."""
        self.positives, self._positive_counts = positive_passages(self, run)
        if place is not None:
            with replacing(place) as partial:
                partial.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in self.positives))

    def rows(self) -> dict[str, float | int]:
        """The counts with their descriptions."""
        found = self._positive_counts
        return self.counts.rows() | (found.rows() if found is not None else {})


def check_expansion(
    lookup: Lookup,
    homonyms: Homonyms,
    setting: GoldSetting = "complete",
    sources: Sequence[str] | None = None,
    least: int = 0,
) -> None:
    """Refuse invalid options."""
    check_choice("lookup", lookup, get_args(Lookup))
    check_choice("homonyms", homonyms, get_args(Homonyms))
    check_choice("setting", setting, get_args(GoldSetting))
    check_count("least", least)
    if sources is not None:
        check_texts("sources", sources, str)


def expand_names(
    questions: QuestionSet,
    graph: Path,
    lookup: Lookup,
    homonyms: Homonyms,
    sources: Sequence[str] | None = None,
    least: int = 0,
    setting: GoldSetting = "complete",
) -> Expansion:
    """A copy of the questions with added names; the options are those of `rollcall.expand`."""
    answers = [answer for question in questions for answer in _answers(question)]
    strings = [name for answer in answers for name in (answer.label, *answer.aliases) if name]
    names = GraphNames.read(graph, strings, [a.id for a in answers if a.id is not None], lookup)
    _check_sources(names, sources)
    counts = Counts(questions=len(questions))
    expander = _Expander(
        names, homonyms, None if sources is None else frozenset(sources), least, setting, counts
    )
    expanded = [expander.question(question) for question in questions]
    manifest = {
        **questions.manifest,
        "expansion": {"lookup": lookup, "homonyms": homonyms, "sources": sources, "least": least},
    }
    return Expansion(expanded, manifest, counts)


def _answers(question: Question) -> Iterable[Answer]:
    alternatives = (answer for other in question.alternatives for answer in other)
    return [*question.answers, *alternatives, *question.candidates, *question.extended]


def _check_sources(names: GraphNames, sources: Sequence[str] | None) -> None:
    there = {name.source for known in names.names.values() for name in known}
    unknown = [source for source in sources or () if source not in there]
    if unknown and there:
        raise RollcallError(
            f"the names found have no source {unknown[0]!r}; there are {', '.join(sorted(there))}"
        )


@dataclass
class _Expander:
    names: GraphNames
    homonyms: Homonyms
    sources: frozenset[str] | None
    least: int
    setting: GoldSetting
    counts: Counts

    def question(self, question: Question) -> Question:
        closed, uncounted = self.setting == "closed", Counts()
        complete, candidates = (uncounted, self.counts) if closed else (self.counts, uncounted)
        return msgspec.structs.replace(
            question,
            answers=[self.answer(answer, complete) for answer in question.answers],
            alternatives=[
                [self.answer(answer, complete) for answer in other] for other in question.alternatives
            ],
            candidates=[
                self.answer(candidate, candidates if candidate.is_answer else uncounted)
                for candidate in question.candidates
            ],
            extended=[self.answer(answer, uncounted) for answer in question.extended],
        )

    def answer(self, answer: Named, counts: Counts) -> Named:
        own = list(dict.fromkeys(name for name in (answer.label, *answer.aliases) if name))
        added: dict[str, AddedAlias] = {}
        matched = 0
        for name in own:
            entities = self._entities(answer, name, counts)
            found = [one for entity in entities for one in self._names_of(entity)]
            matched += any(one.text != name for one in found)
            for one in found:
                if one.text not in own:
                    added.setdefault(one.text, one)
        counts.original += len(own)
        counts.matched += matched
        counts.augmented += len(own) + len(added)
        return msgspec.structs.replace(
            answer, aliases=[*answer.aliases, *added], added=[*answer.added, *added.values()]
        )

    def _entities(self, answer: Answer, name: str, counts: Counts) -> list[str]:
        """The entities whose names are added: the answer's own, or those that its string means."""
        if answer.id is not None and answer.id in self.names.names:
            return [answer.id]
        meant = self.names.meant_by(name)
        if len(meant) > 1:
            counts.homonyms += 1
            if self.homonyms == "skip":
                return []
            if self.homonyms == "commonest":
                return [min(meant, key=lambda entity: (-meant[entity], entity))]
        return sorted(meant)

    def _names_of(self, entity: str) -> list[AddedAlias]:
        return [
            AddedAlias(name.text, entity, name.source, self.names.lookup)
            for name in self.names.names.get(entity, [])
            if (self.sources is None or name.source in self.sources)
            and (name.uses == 0 or name.uses >= self.least)
        ]

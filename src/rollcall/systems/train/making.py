"""Makes exercises from questions: retrieves passages and labels them by the evidence of the answers.

A passage proves the facts whose evidence stands in it. It names an answer if the measures would find one of
the answer's names in it, so that a passage taken as a negative is one that they would call a miss. A question
without any evidence, as in sets of single answers, is taught by distant supervision: naming proves.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from rollcall.progress import Progress
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Passage
from rollcall.score.profile import Profile
from rollcall.score.profiles import open_profile
from rollcall.systems.interfaces import Retriever, asked
from rollcall.systems.read.linking import LinkedMention, Linker
from rollcall.systems.train.exercise import Exercise, LabelledPassage

_BATCH = 64
_PROFILE = "entity"


def make_exercises(
    questions: Sequence[Question],
    retriever: Retriever | None,
    gold: Retriever | None,
    k: int,
    linker: Linker | None = None,
    progress: bool | None = None,
) -> Iterator[Exercise]:
    """One exercise for each question, with its k best passages; `gold` gives the passages of the evidence.

    Without a retriever there are no passages; without a linker they have no mentions.
    """
    profile = open_profile(_PROFILE)
    with Progress("exercises", len(questions), count=True, show=progress) as bar:
        for start in range(0, len(questions), _BATCH):
            some = questions[start : start + _BATCH]
            asking = [asked(one) for one in some]
            none: list[list[Passage]] = [[] for _ in some]
            found = retriever.retrieve(asking, k) if retriever is not None else none
            pieces = max(sum(len(answer.evidence) for answer in one.answers) for one in some)
            proofs = gold.retrieve(asking, pieces) if gold is not None and pieces else none
            for question, passages, proving in zip(some, found, proofs, strict=True):
                yield labelled(question, passages, proving, profile, linker)
                bar.advance(1)


def labelled(
    question: Question,
    passages: Sequence[Passage],
    proving: Sequence[Passage],
    profile: Profile,
    linker: Linker | None = None,
) -> Exercise:
    """The exercise of a question with the passages that were retrieved and those of its evidence."""
    mentions = linker.mentions if linker is not None else _no_mentions
    label = _Labels(question.answers, _shares(question.answers), mentions, profile).of
    retrieved = {passage.id or passage.text for passage in passages}
    return Exercise(
        question.id,
        asked(question).question,
        question.split,
        question.kind,
        question.cluster,
        [Answer(answer.label, answer.id, answer.aliases) for answer in question.answers],
        question.candidates,
        [label(passage) for passage in passages],
        [label(passage) for passage in proving if (passage.id or passage.text) not in retrieved],
        [wording for wording in question.wordings if wording != asked(question).question],
        relations=[*question.relations],
    )


def with_passages(
    exercise: Exercise, passages: Sequence[Passage], profile: Profile | None = None
) -> Exercise:
    """The exercise with the passages of another retriever, where neither set, corpus nor graph are at hand.

    An exercise has all passages of its evidence. Passages that it does not have get no mentions.
    """
    known = {one.id or one.text: one for one in (*exercise.passages, *exercise.proofs)}
    shares = {key: one.proves for key, one in known.items() if one.proves}

    def mentions(passage: Passage) -> Sequence[LinkedMention]:
        found = known.get(passage.id or passage.text)
        return found.mentions if found is not None else ()

    labels = _Labels(exercise.answers, shares, mentions, profile or open_profile(_PROFILE))
    retrieved = {passage.id or passage.text for passage in passages}
    proofs = [one for key, one in known.items() if one.proves and key not in retrieved]
    return msgspec.structs.replace(exercise, passages=[labels.of(one) for one in passages], proofs=proofs)


class _Labels:
    """Labels passages by the answers to one question."""

    def __init__(
        self,
        answers: Sequence[Answer],
        shares: Mapping[str, dict[int, float]],
        mentions: Callable[[Passage], Sequence[LinkedMention]],
        profile: Profile,
    ) -> None:
        """`shares` has what passages prove, by their ids or texts; without any, naming proves."""
        self._shares, self._mentions, self._profile = shares, mentions, profile
        self._names = [[profile.prepare(name) for name in (one.label, *one.aliases)] for one in answers]

    def of(self, passage: Passage) -> LabelledPassage:
        profile = self._profile
        texts = [profile.prepare(text) for text in (passage.title, passage.text) if text]
        named = [
            place
            for place, these in enumerate(self._names)
            if any(profile.mentions(text, these) for text in texts)
        ]
        key = passage.id or passage.text
        proves = self._shares.get(key, {}) if self._shares else dict.fromkeys(named, 1.0)
        return LabelledPassage(
            passage.id,
            passage.title,
            passage.text,
            passage.score,
            proves,
            named,
            list(self._mentions(passage)),
        )


def _no_mentions(passage: Passage) -> Sequence[LinkedMention]:
    return ()


def _shares(answers: Sequence[Answer]) -> dict[str, dict[int, float]]:
    """For each passage with evidence, the share of each answer's facts that it states."""
    found: dict[str, dict[int, float]] = {}
    for place, answer in enumerate(answers):
        stated: dict[str, set[str]] = {}
        facts: set[str] = set()
        for evidence in answer.evidence:
            fact = evidence.fact or evidence.text
            facts.add(fact)
            stated.setdefault(evidence.passage or evidence.text, set()).add(fact)
        for passage, these in stated.items():
            found.setdefault(passage, {})[place] = len(these) / len(facts)
    return found

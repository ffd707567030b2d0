"""A folder of training examples: those of the training split, those of dev, and how they were made."""

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from rollcall._core.console import Progress
from rollcall._core.errors import UNREADABLE, RollcallError, RollcallWarning, why
from rollcall._core.files import replacing_part
from rollcall._core.registry import content_of
from rollcall.graph.index import MANIFEST
from rollcall.questions.given import Questions, given_questions
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Passage
from rollcall.score.profile import Profile
from rollcall.score.profiles import open_profile
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Retriever, asked
from rollcall.systems.opening import (
    GivenRetriever,
    choose_questions,
    choose_retrievers,
    opened_retriever,
    share_options,
)
from rollcall.systems.options import Clusters
from rollcall.systems.read.linking import LinkedMention, Linker
from rollcall.systems.retrieve.given import Oracle
from rollcall.systems.train.selection import chosen, learnable, mixed
from rollcall.systems.train.trainable import Learner, Trainable
from rollcall.systems.train.training_example import (
    PARTS,
    LabelledPassage,
    TrainingExample,
    example_file,
    example_parts,
    read_examples,
    write_examples,
)
from rollcall.text.name_lookup import NameFinder
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.graph import Graph


# Makes training examples from questions: retrieves passages and labels them by the evidence of the answers. A
# passage proves the facts whose evidence it contains. It names an answer if the measures would find one
# of the answer's names in it, so that a passage taken as a negative is one that they would call a miss.
# A question without any evidence, as in sets of single answers, is taught by distant supervision: naming
# proves.

_BATCH = 64
_PROFILE = "entity"


def make_examples(
    questions: Sequence[Question],
    retriever: Retriever | None,
    gold: Retriever | None,
    k: int,
    linker: Linker | None = None,
    progress: bool | None = None,
) -> Iterator[TrainingExample]:
    """One example for each question, with its k best passages; `gold` gives the passages of the evidence.

    Without a retriever there are no passages; without a linker they have no mentions.
    """
    profile = open_profile(_PROFILE)
    with Progress("training examples", len(questions), count=True, show=progress) as bar:
        for start in range(0, len(questions), _BATCH):
            batch = questions[start : start + _BATCH]
            asking = [asked(question) for question in batch]
            none: list[list[Passage]] = [[] for _ in batch]
            retrieved = retriever.retrieve(asking, k) if retriever is not None else none
            pieces = max(sum(len(answer.evidence) for answer in question.answers) for question in batch)
            proofs = gold.retrieve(asking, pieces) if gold is not None and pieces else none
            for question, passages, proving in zip(batch, retrieved, proofs, strict=True):
                yield labelled(question, passages, proving, profile, linker)
                bar.advance(1)


def labelled(
    question: Question,
    passages: Sequence[Passage],
    proving: Sequence[Passage],
    profile: Profile,
    linker: Linker | None = None,
) -> TrainingExample:
    """The training example of a question with the passages that were retrieved and those of its evidence.

    Mentions of neutral answers are left out: they are not to be found, and they are not wrong.
    """
    neutral = {answer.id for answer in question.neutral}

    def mentions(passage: Passage) -> Sequence[LinkedMention]:
        mentioned = linker.mentions(passage) if linker is not None else ()
        return (
            [mention for mention in mentioned if neutral.isdisjoint(mention.entities)]
            if neutral
            else mentioned
        )

    label = _Labels(question.answers, _shares(question.answers), mentions, profile).of
    retrieved = {passage.id or passage.text for passage in passages}
    return TrainingExample(
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
    example: TrainingExample, passages: Sequence[Passage], profile: Profile | None = None
) -> TrainingExample:
    """The example with the passages of another retriever, without the set, the corpus or the graph.

    A training example has all passages of its evidence. Passages that it does not have get no mentions.
    """
    known = {passage.id or passage.text: passage for passage in (*example.passages, *example.proofs)}
    shares = {key: passage.proves for key, passage in known.items() if passage.proves}

    def mentions(passage: Passage) -> Sequence[LinkedMention]:
        earlier = known.get(passage.id or passage.text)
        return earlier.mentions if earlier is not None else ()

    labels = _Labels(example.answers, shares, mentions, profile or open_profile(_PROFILE))
    retrieved = {passage.id or passage.text for passage in passages}
    proofs = [passage for key, passage in known.items() if passage.proves and key not in retrieved]
    labelled_passages = [labels.of(passage) for passage in passages]
    return msgspec.structs.replace(example, passages=labelled_passages, proofs=proofs)


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
        self._names = [
            [profile.prepare(name) for name in (answer.label, *answer.aliases)] for answer in answers
        ]

    def of(self, passage: Passage) -> LabelledPassage:
        profile = self._profile
        texts = [profile.prepare(text) for text in (passage.title, passage.text) if text]
        named = [
            index
            for index, names in enumerate(self._names)
            if any(profile.mentions(text, names) for text in texts)
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


def _shares(answers: Sequence[Answer]) -> dict[str, dict[int, float]]:
    """For each passage with evidence, the share of each answer's facts that it states."""
    shares: dict[str, dict[int, float]] = {}
    for index, answer in enumerate(answers):
        stated: dict[str, set[str]] = {}
        facts: set[str] = set()
        for evidence in answer.evidence:
            fact = evidence.fact or evidence.text
            facts.add(fact)
            stated.setdefault(evidence.passage or evidence.text, set()).add(fact)
        for passage, stated_facts in stated.items():
            shares.setdefault(passage, {})[index] = len(stated_facts) / len(facts)
    return shares


ABOUT = "exercises.json"
_TRAIN, _DEV = "train", "dev"
_HELD_OUT = 5
"""Of a set without splits, one question in so many decides which weights are best."""


class AboutExamples(msgspec.Struct, frozen=True):
    """How training examples were made."""

    name: str
    """The name of the set."""
    split: str
    k: int
    retriever: dict[str, Any]
    made_from: str
    """The hash of the questions and settings; if it differs, the examples are made again."""
    graph: str = ""
    """The hash of the graph whose entities the passages mention."""


class Teaching(msgspec.Struct, frozen=True, kw_only=True):
    """What training examples are made of; the arguments of `rollcall.train`."""

    questions: Questions | None
    corpus: "Corpus | Path | str | None"
    graph: "Graph | Path | str | None"
    """For systems that choose among the entities that passages mention."""
    retriever: GivenRetriever | None
    """None for systems that use no passages."""
    options: Mapping[str, object]
    k: int
    split: str
    dev: str | None
    limit: int | None
    clusters: Clusters | None
    others: Questions | None
    share: float
    index: Path | str | None
    learner: type[Learner] = Learner
    """The system that the training examples are for, with its options, if it completes them."""
    learning: msgspec.Struct | None = None


class ExampleFolder:
    """Training examples on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def about(self) -> AboutExamples:
        file = self.path / ABOUT
        if not file.is_file():
            raise RollcallError(
                f"{self.path}: holds no training examples; make them with `rollcall train --prepare`"
            )
        try:
            return msgspec.json.decode(file.read_bytes(), type=AboutExamples)
        except UNREADABLE as error:
            raise RollcallError(
                f"{file}: is damaged ({why(error)}); delete {self.path} to make it again"
            ) from None

    def read(self, part: str) -> list[TrainingExample]:
        """The training examples of a part; none if there is no such part."""
        file = example_file(self.path, part)
        return read_examples(file) if file.exists() else []

    def fingerprint(self) -> str:
        """The hash of the training examples."""
        digests = (hashlib.sha256(file.read_bytes()).digest() for file in example_parts(self.path))
        return hashlib.sha256(b"".join(digests)).hexdigest()

    def make(self, teaching: Teaching, progress: bool | None, refusal: str | None = None) -> None:
        """Make the examples, unless they exist. With `refusal`, other training examples are not replaced, and
        it is the error message.
        """
        if teaching.questions is None:
            raise RollcallError("training needs a question set, or training examples that were made of one")
        asking = choose_questions(_in_splits(teaching.questions, teaching), teaching.split)
        answered = [question for question in asking.chosen if question.answers or question.alternatives]
        learning = chosen(answered, teaching.limit, teaching.clusters)
        if not learning:
            raise RollcallError(f"no question of the split {teaching.split} has answers to learn from")
        dev = [
            question for question in asking.questions if question.split == teaching.dev and question.answers
        ]
        if teaching.dev is not None and not dev:
            _check_split(asking.questions, teaching.dev, issubclass(teaching.learner, Trainable))
        others: list[Question] = []
        if teaching.others is not None:
            others = _others(teaching, teaching.others, learning, dev)
        searching = choose_retrievers(teaching.retriever) if teaching.retriever is not None else []
        share_options(teaching.options, searching)
        with Context(
            [*learning, *dev, *others],
            corpus=teaching.corpus,
            graph=teaching.graph,
            retriever=(lambda context: opened_retriever(searching, context)) if searching else None,
            index=teaching.index,
            k=teaching.k,
            progress=progress,
        ) as context:
            for searcher in searching:
                searcher.check(context)
            retriever = context.retriever if searching else None
            about = AboutExamples(
                _name(teaching.questions),
                teaching.split,
                teaching.k,
                msgspec.to_builtins(retriever.settings()) if retriever is not None else {},
                "",
                content_of(context.graph.folder, MANIFEST) if context.has("graph") else "",
            )
            made_from = _hash(about, {"train": [*learning, *others], "dev": dev}, teaching.learning)
            if (self.path / ABOUT).is_file():
                if self.about().made_from == made_from:
                    return
                if refusal is not None:
                    raise RollcallError(refusal)
            (self.path / ABOUT).unlink(missing_ok=True)  # after a kill, new examples are not taken for old
            gold = _gold(context) if retriever is not None else None
            linker = _linker(context) if retriever is not None and context.has("graph") else None
            for part, questions in (("train", [*learning, *others]), ("dev", dev)):
                examples: Iterable[TrainingExample] = make_examples(
                    questions, retriever, gold, teaching.k, linker, progress
                )
                if teaching.learning is not None:
                    examples = teaching.learner.completed(examples, questions, teaching.learning, context)
                write_examples(example_file(self.path, part), examples)
        with replacing_part(self.path / ABOUT) as partial:
            partial.write_bytes(msgspec.json.encode(msgspec.structs.replace(about, made_from=made_from)))


def _in_splits(questions: Questions, teaching: Teaching) -> Questions:
    """The questions; where none has a split, every fifth is held out for dev, and the others are train.

    Which ones are held out depends on their ids alone. A split that was asked for by name must be there.
    """
    read = list(given_questions(questions, "the questions"))
    if teaching.split != _TRAIN or any(question.split for question in read):
        return questions
    ordered = sorted(read, key=lambda question: hashlib.sha256(question.id.encode()).hexdigest())
    held_out = {
        question.id for question in ordered[::_HELD_OUT] if teaching.dev == _DEV and len(read) >= _HELD_OUT
    }
    rest = len(read) - len(held_out)
    decide = f", and {len(held_out)} held out decide which weights are best" if held_out else ""
    message = (
        f"no question has a split: {counted(rest, 'question')} are learned from{decide}; "
        "to keep some for a test, give each a split (train, dev or test)"
    )
    warnings.warn(RollcallWarning(message), stacklevel=4)
    return [
        msgspec.structs.replace(question, split=_DEV if question.id in held_out else _TRAIN)
        for question in read
    ]


def example_files(folder: Path) -> set[str]:
    """The files of a folder of training examples, which may be replaced with it."""
    if not (folder / ABOUT).is_file():
        return set()
    return {ABOUT, *(example_file(folder, part).name for part in PARTS)}


def _others(
    teaching: Teaching, other_questions: Questions, learning: Sequence[Question], dev: Sequence[Question]
) -> list[Question]:
    """What is learned of the other set: nothing that is evaluated on, and nothing twice."""
    where = str(other_questions) if isinstance(other_questions, Path | str) else "the other questions"
    all_others = list(given_questions(other_questions, "the other questions"))
    return mixed(learning, learnable(all_others, teaching.split, [*learning, *dev], where), teaching.share)


def _gold(context: Context) -> Oracle | None:
    """The passages of the evidence, if the questions have any."""
    if not any(answer.evidence for question in context.questions for answer in question.answers):
        return None
    return Oracle(context.questions, context.indexes, context.progress)


def _linker(context: Context) -> Linker:
    """Finds the mentions of the graph's entities in passages."""
    return Linker(context.graph, NameFinder(context.graph.index), context.store.entity)


def _name(questions: Questions) -> str:
    return Path(questions).name if isinstance(questions, Path | str) else ""


def _hash(
    about: AboutExamples, questions: Mapping[str, Sequence[Question]], learning: msgspec.Struct | None
) -> str:
    decisive = [about, questions] if learning is None else [about, questions, learning]
    return hashlib.sha256(msgspec.json.encode(decisive, order="sorted")).hexdigest()[:16]


def _check_split(questions: Sequence[Question], dev: str, evaluated: bool) -> None:
    """Refuse a split that is misspelt; a set without the usual one may be learned from."""
    if dev != _DEV:
        QuestionSet(questions).of_splits(dev)
    if not evaluated:
        return
    message = f"no question of the split {dev} has answers, so nothing decides which weights are best"
    warnings.warn(RollcallWarning(message), stacklevel=4)


# What a system learns from: the examples of one folder or of several, all of them or a choice. Folders
# may come from different corpora, as those of two worlds, or from sets of different kinds. The first is
# the one that counts: its dev training examples decide which weights are best.


class Learning(NamedTuple):
    """What a system learns from."""

    train: Sequence[TrainingExample]
    dev: Sequence[TrainingExample]
    about: AboutExamples
    fingerprint: str
    """The hash of the training examples."""


def learned_from(
    folders: Sequence[ExampleFolder], limit: int | None = None, clusters: Clusters | None = None
) -> Learning:
    """The training examples of folders; `limit` and `clusters` choose among those to learn from."""
    if not folders:
        raise RollcallError("no folder of training examples is given to learn from")
    abouts = [folder.about() for folder in folders]
    train = [example for folder in folders for example in folder.read("train")]
    marks = [folder.fingerprint() for folder in folders]
    if limit is not None or clusters is not None:
        train = chosen(train, limit, clusters)
        marks.append(f"{limit} {clusters}")
    about = msgspec.structs.replace(abouts[0], name="+".join(about.name for about in abouts))
    fingerprint = marks[0] if len(marks) == 1 else hashlib.sha256(" ".join(marks).encode()).hexdigest()
    return Learning(train, folders[0].read("dev"), about, fingerprint)

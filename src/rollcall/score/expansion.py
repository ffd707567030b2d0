"""Adds names to gold answers from a graph ("What's in a Name?"), with the source of each name.

`GraphNames`                        the names in a graph: what a string may mean, and all names of an entity
`expand_names`, `Expansion`         gold answers with added names, and the counts of what was added
`with_expansion`, `with_extended`   the same predictions under two gold sets, side by side
`newly_right`                       predictions that only added names make right, for people to judge
`positive_passages`                 retrieved passages that name an answer, for training

An answer with an entity id gets that entity's names. An answer that is only a string gets the names of the
entity that the string means. A string that means several entities is a homonym; the caller chooses what to do
with it, because the paper does not say.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.files import open_compressed, replacing
from rollcall.questions.question_set import QuestionSet, decode_lines
from rollcall.questions.record import AddedAlias, Answer, Question
from rollcall.questions.run import Passage, Run
from rollcall.score.figures import FigureValue
from rollcall.score.match import WRONG, Resolution, name_key, name_keys
from rollcall.score.measure import Measure
from rollcall.score.options import GoldSetting, Homonyms, Lookup, ScoreOptions, ScoringOptions
from rollcall.score.pairing import gold_of, pair, predicted
from rollcall.score.profile import Predicted, Profile
from rollcall.score.profiles.entity import EntityProfile
from rollcall.score.scoring import score_records
from rollcall.tables.graph import Aliases, Entities
from rollcall.tables.table import DeclaredTable, file_name
from rollcall.text.nouns import counted

BATCH = 1 << 16
AnyAnswer = TypeVar("AnyAnswer", bound=Answer)


# The names in a graph are read from its tables `entities` and `aliases`, in one pass for the strings and one
# for the entities found. So a graph of millions of entities needs memory only for the names in the gold.


class GraphName(NamedTuple):
    """One name of an entity, its source, and how often it is used."""

    entity: str
    text: str
    source: str
    uses: int


class GraphNames:
    """Names for the strings and entities in a gold set."""

    def __init__(
        self, meanings: dict[str | bytes, dict[str, int]], names: dict[str, list[GraphName]], lookup: Lookup
    ):
        self.meanings = meanings
        """For each string looked up (or its normal form), the entities it names and how often."""
        self.names = names
        self.lookup = lookup

    @classmethod
    def read(cls, folder: Path, strings: Iterable[str], ids: Iterable[str], lookup: Lookup) -> "GraphNames":
        """Look up the strings and ids in the graph in `folder`."""
        wanted = set(_forms(list(dict.fromkeys(strings)), lookup))
        meanings: dict[str | bytes, dict[str, int]] = defaultdict(dict)
        for batch in _name_batches(folder):
            for name, key in zip(batch, _forms([name.text for name in batch], lookup), strict=True):
                if key and key in wanted:
                    counts = meanings[key]
                    counts[name.entity] = max(counts.get(name.entity, 0), name.uses)
        entities = {entity for counts in meanings.values() for entity in counts} | set(ids)
        names: dict[str, list[GraphName]] = defaultdict(list)
        for batch in _name_batches(folder):
            for name in batch:
                if name.entity in entities:
                    names[name.entity].append(name)
        return cls(dict(meanings), dict(names), lookup)

    def meant_by(self, text: str) -> dict[str, int]:
        """The entities that a string may mean, with how often it names each."""
        return self.meanings.get(_forms([text], self.lookup)[0], {})


def _forms(texts: Sequence[str], lookup: Lookup) -> Sequence[str | bytes]:
    """The keys for looking up strings: the strings themselves, or their normal forms."""
    return texts if lookup == "exact" else name_keys(texts)


def _name_batches(folder: Path) -> Iterator[list[GraphName]]:
    """Every name in the graph, in batches: labels, titles, then the aliases of all sources."""
    for rows in _graph_rows(folder, Entities, ("id", "label", "title")):
        yield [
            GraphName(entity, text, source, 0)
            for entity, label, title in rows
            for text, source in ((label, "label"), (title, "title"))
            if text
        ]
    for rows in _graph_rows(folder, Aliases, ("entity", "text", "source", "count")):
        yield [GraphName(entity, text, source, int(uses or 0)) for entity, text, source, uses in rows if text]


def _graph_rows(
    folder: Path, table: type[DeclaredTable], columns: tuple[str, ...]
) -> Iterator[list[tuple[str, ...]]]:
    from rollcall.tables.files import batches

    path = folder / file_name(table)
    if not path.is_file():
        raise RollcallError(f"{folder}: holds no {path.name}, so it is not a graph")
    for batch in batches(table, path, columns, BATCH):
        yield list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


# Gold answers with added names.


@dataclass
class ExpansionCounts:
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

    def __init__(self, questions: Iterable[Question], manifest: dict[str, object], counts: ExpansionCounts):
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
                partial.write_bytes(
                    b"".join(msgspec.json.encode(positive) + b"\n" for positive in self.positives)
                )

    def rows(self) -> dict[str, float | int]:
        """The counts with their descriptions."""
        counts = self._positive_counts
        return self.counts.rows() | (counts.rows() if counts is not None else {})


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
    counts = ExpansionCounts(questions=len(questions))
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
    return [*question.answers, *alternatives, *question.candidates, *question.neutral, *question.extended]


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
    counts: ExpansionCounts

    def question(self, question: Question) -> Question:
        closed, uncounted = self.setting == "closed", ExpansionCounts()
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
            neutral=[self.answer(answer, uncounted) for answer in question.neutral],
            extended=[self.answer(answer, uncounted) for answer in question.extended],
        )

    def answer(self, answer: AnyAnswer, counts: ExpansionCounts) -> AnyAnswer:
        own = list(dict.fromkeys(name for name in (answer.label, *answer.aliases) if name))
        added: dict[str, AddedAlias] = {}
        matched = 0
        for name in own:
            entities = self._entities(answer, name, counts)
            aliases = [alias for entity in entities for alias in self._names_of(entity)]
            matched += any(alias.text != name for alias in aliases)
            for alias in aliases:
                if alias.text not in own:
                    added.setdefault(alias.text, alias)
        counts.original += len(own)
        counts.matched += matched
        counts.augmented += len(own) + len(added)
        return msgspec.structs.replace(
            answer, aliases=[*answer.aliases, *added], added=[*answer.added, *added.values()]
        )

    def _entities(self, answer: Answer, name: str, counts: ExpansionCounts) -> list[str]:
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


# The same predictions under two gold sets, side by side: with and without more answers or names. Used
# for QAMPARI's extended answer set (its Table 8) and for the added names of "What's in a Name?" (its
# Table 2): both ask how a figure changes if the gold has more answers or names.


@dataclass
class FigureVariants:
    """Two rows of figures over the same questions, and the counts that explain them."""

    key: str
    """Its name in JSON."""
    title: str
    n: int
    rows: dict[str, dict[Measure, FigureValue]]
    counts: dict[str, float | int | str] = field(default_factory=dict)
    differ_in: str = "gold"
    """What the rows differ in."""


def with_extended(
    before: QuestionSet, after: QuestionSet, run: Run, options: ScoringOptions
) -> FigureVariants:
    """Figures without and with an extended answer set, over the questions that were searched.

    A set that says which questions were searched, or keeps extended answers apart, has its extended answers
    in `extended`; of any other set, all questions were searched.
    """
    sizes = {question.id: len(question.answers) for question in before}
    both = [question for question in after if question.id in sizes]
    if not both:
        raise RollcallError("the extended answer set shares no question with the gold")
    if any(question.extended or question.searched for question in both):
        both = [_with_own_extended(question) for question in both if question.extended or question.searched]
    ids = {question.id for question in both}
    restricted = Run(prediction for prediction in run if prediction.id in ids)
    without = score_records(
        QuestionSet(question for question in before if question.id in ids), restricted, options
    )
    with_more = score_records(QuestionSet(both), restricted, options)
    added = [len(question.answers) - sizes[question.id] for question in both]
    return FigureVariants(
        "extended",
        "Without and with the extended answer set: "
        f"{len(both):,} of {counted(len(before), 'question')} searched for more answers",
        len(both),
        {"without": without.figures, "with": with_more.figures},
        {
            "answers added per question": sum(added) / len(added),
            "questions with none added": sum(count == 0 for count in added),
        },
    )


def _with_own_extended(question: Question) -> Question:
    """A question with its extended answers among the others."""
    return msgspec.structs.replace(question, answers=[*question.answers, *question.extended])


def with_expansion(before: QuestionSet, run: Run, graph: Path, options: ScoreOptions) -> FigureVariants:
    """Figures with the gold's own names and with those that a graph adds; writes newly right predictions to
    `options.newly_right`.
    """
    after = expand_names(before, graph, options.lookup, options.homonyms, setting=options.setting)
    single, wider = score_records(before, run, options), score_records(after, run, options)
    now_right = newly_right(before, after, run, single.profile, options.setting)
    rows: dict[str, float | int | str] = {**after.rows(), "predictions newly right": len(now_right)}
    if options.newly_right is not None:
        judged = write_for_judging(now_right, Path(options.newly_right))
        rows["written for judging to"] = str(options.newly_right)
        if judged:
            order = [*JUDGEMENTS, *sorted(set(judged) - set(JUDGEMENTS))]
            rows["judged"] = ", ".join(f"{name} {judged[name]}" for name in order if judged[name])
    title = "With the gold's own names, and with those of the graph"
    return FigureVariants(
        "expand", title, single.n, {"single": single.figures, "expanded": wider.figures}, rows
    )


# Predictions that are right only because of added names, written to a file for people to judge. Every
# line has a field for the judgement. If the file is written again, existing judgements are kept; their
# counts are the paper's Table 5.

JUDGEMENTS = ("correct", "debatable", "wrong", "invalid")


class NewlyRight(msgspec.Struct):
    """One prediction that the added names made right; `judgement` is for a person to fill in."""

    id: str
    question: str
    prediction: str
    answer: str
    alias: AddedAlias | None
    judgement: str = ""


def newly_right(
    before: QuestionSet, after: QuestionSet, run: Run, profile: Profile, setting: GoldSetting = "complete"
) -> list[NewlyRight]:
    """Every prediction that is wrong under `before` and right under `after`."""
    expanded = {question.id: question for question in after}
    now_right = []
    for question, prediction in pair(before, run)[0]:
        predictions = predicted(prediction)
        wider = expanded.get(question.id)
        if wider is None or not predictions:
            continue
        gold = gold_of(wider, setting)
        # Counted, because two entities with the same name are two predictions.
        narrow = Counter(
            text for text, _ in _right(profile, question, gold_of(question, setting), predictions)
        )
        for text, label in _right(profile, wider, gold, predictions):
            if narrow[text]:
                narrow[text] -= 1
            else:
                now_right.append(NewlyRight(question.id, question.question, text, label, _alias(gold, text)))
    return now_right


def _right(
    profile: Profile, question: Question, gold: Sequence[Answer], predictions: Iterable[Predicted]
) -> list[tuple[str, str]]:
    """Each right prediction with the label of the answer it names, repeated names included."""
    resolution: Resolution = profile.resolve(question, gold, list(predictions))
    right = [
        (text, resolution.gold[owner])
        for text, owner in zip(resolution.predictions, resolution.owners, strict=True)
        if owner != WRONG
    ]
    return right + [(text, "") for text in resolution.repeated]


def _alias(answers: Iterable[Answer], text: str) -> AddedAlias | None:
    """The added name that a prediction matched."""
    key = name_key(text)
    added = [alias for answer in answers for alias in answer.added]
    exact = (alias for alias in added if alias.text == text)
    return next(exact, None) or next((alias for alias in added if name_key(alias.text) == key), None)


def write_for_judging(found: list[NewlyRight], path: Path) -> Counter[str]:
    """Write the predictions, keep the judgements of an earlier file, and count all judgements."""
    with replacing(path) as partial:
        if path.exists():
            with open_compressed(path) as stream:
                known = decode_lines(stream.read(), msgspec.json.Decoder(NewlyRight), path)
            judged = {(row.id, row.prediction): row.judgement for row in known}
            for row in found:
                row.judgement = judged.get((row.id, row.prediction), "")
        partial.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in found))
    return Counter(row.judgement for row in found if row.judgement)


# Which retrieved passages become positive training examples if answers have more names. A passage is
# positive for a question if it names an answer in whole words. A question without a positive passage
# cannot be used for training, so the number of questions gained is the value of an expansion (Table 1,
# last rows).


class Positive(msgspec.Struct, omit_defaults=True):
    """A passage that names an answer, and the name it uses."""

    id: str
    passage: str
    name: str
    added: bool
    title: str = ""
    entity: str | None = None
    source: str | None = None


@dataclass
class PositiveCounts:
    """How many questions and passages are positive by the gold's own names, and with the added ones."""

    questions: int = 0
    questions_before: int = 0
    questions_after: int = 0
    passages: int = 0
    passages_before: int = 0
    passages_after: int = 0

    def rows(self) -> dict[str, float | int]:
        return {
            "questions with a positive passage, own names": self.questions_before,
            "questions with a positive passage, all names": self.questions_after,
            "positive passages, own names": self.passages_before,
            "positive passages, all names": self.passages_after,
        }


_PROFILE = EntityProfile()


def positive_passages(expanded: QuestionSet, run: Run) -> tuple[list[Positive], PositiveCounts]:
    """The positive passages of an expanded set, each with the first name that makes it so."""
    all_positives: list[Positive] = []
    counts = PositiveCounts()
    for question, prediction in pair(expanded, run)[0]:
        passages = [] if prediction is None else prediction.retrieved
        positives = _of_question(question, passages)
        before = sum(not positive.added for positive in positives)
        counts.questions += 1
        counts.questions_before += before > 0
        counts.questions_after += bool(positives)
        counts.passages += len(passages)
        counts.passages_before += before
        counts.passages_after += len(positives)
        all_positives += positives
    return all_positives, counts


def _of_question(question: Question, passages: Sequence[Passage]) -> list[Positive]:
    names = [
        (name, _PROFILE.prepare(name), answer)
        for added in (False, True)  # the gold's own names first, so that they count before added ones
        for answer in question.answers
        for name in _names(answer, added)
    ]
    positives = []
    for rank, passage in enumerate(passages, 1):
        text = _PROFILE.prepare(f"{passage.title}\n{passage.text}")
        hit = next(((name, answer) for name, form, answer in names if _PROFILE.mentions(text, [form])), None)
        if hit is not None:
            alias = next((added_alias for added_alias in hit[1].added if added_alias.text == hit[0]), None)
            positives.append(
                Positive(
                    question.id,
                    passage.id or str(rank),
                    hit[0],
                    alias is not None,
                    passage.title,
                    alias.entity if alias else None,
                    alias.source if alias else None,
                )
            )
    return positives


def _names(answer: Answer, added: bool) -> list[str]:
    extra = {alias.text for alias in answer.added}
    if added:
        return [name for name in answer.aliases if name in extra]
    return [answer.label, *(name for name in answer.aliases if name not in extra)]

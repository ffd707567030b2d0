"""Answers that a set may lack: found, ranked, judged and accepted.

`find_missing` ranks what sources found beyond the gold by how likely it is right; `to_judge` and
`judge_by_model` hand it to people or to a language model; `accept` turns what was judged right into the
set's extended answers, apart from its gold.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import numpy as np

from rollcall._core.errors import RollcallError
from rollcall._core.files import open_compressed, replacing
from rollcall.audit.completeness.estimating import estimate
from rollcall.audit.sources.evaluate import Names, RunSize, combined, key_of, keys_of
from rollcall.audit.sources.gather import GRAPH, LISTS, RUNS, TEXT, FoundAnswer, SourceCaptures
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.llm.client import BudgetSpentError, Client
from rollcall.llm.prompts import yes_probability
from rollcall.llm.server import Reply, Request, ask
from rollcall.query.statements import Edge, Entity
from rollcall.questions.judgment import Judgment
from rollcall.questions.question_set import QuestionSet, decode_lines, encode_lines
from rollcall.questions.record import Answer, AnswerProvenance, AnswerSource, Evidence, Question
from rollcall.questions.run import Passage
from rollcall.systems.check.verified import question_names
from rollcall.systems.interfaces import Offered
from rollcall.systems.read import language_model
from rollcall.tables.corpus import Pages, Sentences
from rollcall.tables.files import batches
from rollcall.text.name_forms import WORD, plain
from rollcall.text.name_lookup import KnownKeys, beginnings, write_keys
from rollcall.text.nouns import counted

__all__ = [
    "MissingAnswer",
    "accept",
    "find_missing",
    "judge_by_model",
    "read_candidates",
    "to_judge",
    "write_candidates",
]

# The record of an answer that a set may lack, and its file: one JSON line each, best first.

CANDIDATES = "candidates.jsonl"
"""The name of the file in the folder of an audit."""


class MissingAnswer(msgspec.Struct, omit_defaults=True):
    """An answer that the gold does not have, how likely it is right, and what speaks for it."""

    question: str
    """The question's id."""
    asked: str
    """The question in words."""
    answer: str
    entity: str | None = None
    chance: float = 0.0
    """How likely it is right, by all sources together."""
    sources: list[str] = []
    """What speaks for it: `text`, `lists`, `runs`, or `graph` if the graph has it and the gold does not."""
    runs: list[str] = []
    """The runs that gave it."""
    score: float | None = None
    """The verifier's score of the evidence; the lowest, if several facts are needed."""
    typed: bool | None = None
    """Whether the graph says that it is of the class that is asked for; None if it does not say."""
    facts: list[str] = []
    """The facts that it needs and the graph lacks."""
    evidence: list[Evidence] = []


def read_candidates(path: Path | str) -> list[MissingAnswer]:
    """The candidates of a file; a bad line is named by its number."""
    path = Path(path)
    with open_compressed(path) as stream:
        return decode_lines(stream.read(), msgspec.json.Decoder(MissingAnswer), path)


def write_candidates(candidates: Iterable[MissingAnswer], path: Path | str) -> None:
    """Write candidates as JSON lines, in the given order."""
    with replacing(Path(path)) as partial, partial.open("wb") as stream:
        stream.writelines(encode_lines(candidates))


# Turns judgments into extended answers: right answers that are kept apart from the gold, with their
# provenance. The gold stays as it is, so figures of a set remain comparable; scores with extended
# answers are reported beside them. Accepting the same judgments again changes nothing.

_SHOWN = 3


def accept(
    questions: QuestionSet,
    judgments: Iterable[Judgment],
    *,
    candidates: Iterable[MissingAnswer] = (),
    graph: Graph | None = None,
    least: float = 0.5,
) -> QuestionSet:
    """The set with every answer that was judged right, and that the gold lacks, among its extended answers.

    Questions with a decided judgment of such an answer count as searched, also if nothing was right.
    People decide before machines; a machine's judgment counts from a probability of `least` on.
    `candidates` say where an answer was found; a graph gives an entity its other names.
    """
    grouped: dict[str, dict[str, list[Judgment]]] = {}
    known = {question.id for question in questions}
    strange: list[str] = []
    for judgment in judgments:
        if judgment.question not in known:
            strange.append(judgment.question)
        key = judgment.entity or keys_of(judgment, None)[0]
        grouped.setdefault(judgment.question, {}).setdefault(key, []).append(judgment)
    if strange:
        named = ", ".join(strange[:_SHOWN])
        raise RollcallError(
            f"{counted(len(strange), 'judgment is', 'judgments are')} about questions that the set "
            f"does not have, such as {named}"
        )
    by_answer = {(answer.question, answer.entity or answer.answer): answer for answer in candidates}
    extended = [
        _extended(question, grouped.get(question.id, {}), by_answer, graph, least) for question in questions
    ]
    return QuestionSet(extended, questions.manifest)


def _extended(
    question: Question,
    judged: dict[str, list[Judgment]],
    by_answer: dict[tuple[str, str], MissingAnswer],
    graph: Graph | None,
    least: float,
) -> Question:
    """A question with its accepted answers; it was searched if anything was decided that the gold lacks."""
    names = Names([*question.answers, *question.extended])
    gold = {key_of(answer) for answer in (*question.answers, *question.extended)}
    added = []
    searched = question.searched
    for group in judged.values():
        best = max(
            group, key=lambda judgment: (judgment.by_people, bool(judgment.right), judgment.score or 0.0)
        )
        same_keys = names.keys([best.answer]).keys() | {best.entity}
        chance = combined(group)
        if chance is None or not gold.isdisjoint(key for key in same_keys if key is not None):
            continue
        searched = True
        if chance >= least:
            answer = _answer(best, group, by_answer.get((question.id, best.entity or best.answer)), graph)
            added.append(answer)
            names.add([answer])
            gold.add(key_of(answer))
    return msgspec.structs.replace(question, extended=[*question.extended, *added], searched=searched)


def _answer(
    best: Judgment, group: list[Judgment], candidate: MissingAnswer | None, graph: Graph | None
) -> Answer:
    label, aliases = best.answer, list[str]()
    if graph is not None and best.entity is not None and graph.index.entity_number(best.entity) is not None:
        record = graph.entity(best.entity)
        label = record.label or label
        aliases = [name for name in dict.fromkeys((*record.aliases, best.answer)) if name != label]
    scores = [judgment.score for judgment in group if judgment.score is not None]
    evidence = best.evidence or next((judgment.evidence for judgment in group if judgment.evidence), [])
    return Answer(
        label,
        best.entity,
        aliases,
        evidence or (candidate.evidence if candidate else []),
        sources=_sources(best, candidate),
        provenance=AnswerProvenance(
            source=", ".join(candidate.sources) if candidate else "",
            by=best.by,
            who=best.who,
            right=True,
            score=candidate.score
            if candidate is not None and candidate.score is not None
            else max(scores, default=None),
            note=best.note,
        ),
    )


def _sources(best: Judgment, candidate: MissingAnswer | None) -> list[AnswerSource]:
    """What says that an accepted answer is right; runs say nothing by themselves."""
    by_name: dict[str, AnswerSource] = {GRAPH: "graph", TEXT: "text", LISTS: "list"}
    sources = [by_name[name] for name in (candidate.sources if candidate else ()) if name in by_name]
    return [*sources, "people"] if best.by_people else sources


# Hands candidates to their judges: people, as lines to fill in, or a language model. A model is
# asked for yes or no with the evidence before it; its replies are cached and its budget is kept
# (`rollcall.llm`). A model's judgment is a probability, never a verdict of people.

_ALTERNATIVES = 10
_UNASKED = "not asked: the budget was spent"


def to_judge(candidates: Iterable[MissingAnswer]) -> list[Judgment]:
    """Candidates as judgments to make: people fill in `right` and `by`."""
    return [
        Judgment(
            candidate.question,
            candidate.answer,
            candidate.entity,
            evidence=candidate.evidence,
            note=", ".join(candidate.sources),
            asked=candidate.asked,
        )
        for candidate in candidates
    ]


def judge_by_model(candidates: Sequence[MissingAnswer], client: Client, model: str) -> list[Judgment]:
    """What a language model says about each candidate; None where it says neither yes nor no.

    If the budget does not suffice, the rest is left undecided; the same call again continues from there.
    """
    judgments = to_judge(candidates)
    for judgment in judgments:
        judgment.note = _UNASKED
    try:
        for index, reply in client.complete_all(_requests(candidates, model)):
            judgment = judgments[index]
            judgment.by, judgment.note = f"model:{model}", ""
            if isinstance(reply, Reply):
                judgment.score = yes_probability(reply)
            else:
                judgment.note = str(reply)
            judgment.right = None if judgment.score is None else judgment.score >= 0.5
    except BudgetSpentError:
        pass
    return judgments


def _requests(candidates: Iterable[MissingAnswer], model: str) -> Iterator[tuple[int, Request]]:
    for index, candidate in enumerate(candidates):
        passages = [Passage(title=piece.title or "", text=piece.text) for piece in candidate.evidence]
        prompt = language_model.is_answer(
            candidate.asked, Offered(candidate.answer, candidate.entity), passages
        )
        yield index, ask(model, prompt, language_model.YES_NO_SYSTEM, max_tokens=4, logprobs=_ALTERNATIVES)


# How likely an answer beyond the gold is right, from everything that speaks for it or against it. What a
# run gives beyond the gold is right as often as the run would find right answers that the gold lacks:
# its recall, times the number that are missing, divided by the number of its counted errors. Several
# sources that give an answer are taken to be right or wrong independently of one another. That text was
# searched and does not state an answer speaks against it, and that it names it with the names in the
# question speaks for it, as far as it does so for gold answers more often than for others.

_SUREST = 0.999


def run_chances(runs: Mapping[str, RunSize], completeness: float) -> dict[str, float]:
    """For each run, how likely one of its counted errors is right, if the gold has this share of right
    answers.
    """
    chances = {}
    for run, size in runs.items():
        # One right answer and one error are added, so that few answers do not decide.
        missing = (size.right + 1) * (1 - completeness) / completeness
        chances[run] = min(_SUREST, missing / (size.errors + 1))
    return chances


def either(*chances: float) -> float:
    """How likely one of several independent reports is right."""
    doubt = 1.0
    for chance in chances:
        doubt *= 1 - chance
    return 1 - doubt


def weighed(chance: float, ratio: float) -> float:
    """A probability after evidence whose likelihood ratio (right to wrong) is `ratio`."""
    right, wrong = chance * ratio, 1 - chance
    return right / (right + wrong) if right + wrong else 0.0


def named_ratio(named: bool, of_gold: float, of_all: float, prior: float) -> float:
    """How much more likely it is for right answers than for wrong ones to be named so, or not to be.

    `of_gold` is the share of gold answers, `of_all` that of all candidates, of which a share `prior` is
    right.
    """
    of_wrong = min(max((of_all - prior * of_gold) / max(1 - prior, 1e-9), 0.01), 0.99)
    of_right = min(max(of_gold, 0.01), 0.99)
    return of_right / of_wrong if named else (1 - of_right) / (1 - of_wrong)


# Sentences that name an answer together with a name of its question: what text shows without a query. A
# question of a published set has no relations that a verifier could judge, but its names are known. The
# corpus is read once for all names, each a sequence of words; a name in the title of the page counts for
# every sentence of it.

_ROWS = 1 << 14


class NamedAnswer(NamedTuple):
    """An answer of a question, by its name."""

    question: str
    answer: str


def names_in(question: Question) -> list[str]:
    """The names in a question: those that its record gives, else words with capitals."""
    entities = question.provenance.get("entities")
    if isinstance(entities, list) and entities and all(isinstance(name, str) for name in entities):
        return list(dict.fromkeys(entities))
    return list(dict.fromkeys(question_names(question.question)))


def find_named(
    corpus: Path, sought: Iterable[NamedAnswer], names: Mapping[str, Sequence[str]]
) -> dict[NamedAnswer, Evidence]:
    """The first sentence of the corpus that names each answer with some name of its question."""
    wanted: dict[int, dict[int, list[NamedAnswer]]] = {}
    full_keys: list[int] = []
    begun: set[int] = set()
    for named_answer in dict.fromkeys(sought):
        answer = _key(named_answer.answer, full_keys, begun)
        for name in names.get(named_answer.question, ()):
            beside = _key(name, full_keys, begun)
            if answer is not None and beside is not None and answer != beside:
                wanted.setdefault(answer, {}).setdefault(beside, []).append(named_answer)
    if not wanted:
        return {}
    with TemporaryDirectory(prefix="rollcall-names-") as folder:
        write_keys(Path(folder), [np.array(full_keys, np.uint64)], [np.array(sorted(begun), np.uint64)])
        return _read(corpus, KnownKeys(Path(folder)), wanted)


def _key(name: str, full_keys: list[int], begun: set[int]) -> int | None:
    words = WORD.findall(plain(name))
    if not words:
        return None
    *starts, key = beginnings(words)
    full_keys.append(key)
    begun.update(starts)
    return key


def _read(
    corpus: Path, known: KnownKeys, wanted: Mapping[int, Mapping[int, list[NamedAnswer]]]
) -> dict[NamedAnswer, Evidence]:
    titles, of_titles = _page_titles(corpus, known)
    evidence: dict[NamedAnswer, Evidence] = {}
    for batch in batches(
        Sentences, corpus / "sentences.parquet", ("page", "text", "start", "end"), rows=_ROWS
    ):
        texts: Any = batch["text"]
        hits = known.find(texts)
        by_row: dict[int, set[int]] = {}
        for row, key in zip(hits.rows.tolist(), hits.keys.tolist(), strict=True):
            by_row.setdefault(row, set()).add(key)
        for row, keys in by_row.items():
            page = batch["page"][row].as_py()
            all_keys = keys | of_titles.get(page, set())
            for answer in all_keys & wanted.keys():
                for beside in all_keys & wanted[answer].keys():
                    if answer not in keys and beside not in keys:
                        continue  # the title alone says nothing about this sentence
                    for named_answer in wanted[answer][beside]:
                        if named_answer not in evidence:
                            fields = {name: batch[name][row].as_py() for name in ("text", "start", "end")}
                            evidence[named_answer] = Evidence(title=titles[page], **fields)
    return evidence


def _page_titles(corpus: Path, known: KnownKeys) -> tuple[dict[str, str], dict[str, set[int]]]:
    """The titles of pages, and the keys of names in them."""
    titles: dict[str, str] = {}
    keys: dict[str, set[int]] = {}
    for batch in batches(Pages, corpus / "pages.parquet", ("id", "title"), rows=_ROWS):
        ids, named = ([str(value) for value in batch[name].to_pylist()] for name in ("id", "title"))
        titles.update(zip(ids, named, strict=True))
        texts: Any = batch["title"]
        hits = known.find(texts)
        for row, key in zip(hits.rows.tolist(), hits.keys.tolist(), strict=True):
            keys.setdefault(ids[row], set()).add(key)
    return titles, keys


# Ranks what sources found beyond the gold: the answers that a set most likely lacks come first. Input:
# questions and `Sources`. Output: `MissingAnswer` records with evidence. Answers that the graph has and
# the gold does not are known already, so they are listed only on demand.

PUBLISHED = 13.2 / (13.2 + 3.1)
"""The completeness that QAMPARI's authors found: 3.1 further answers beside 13.2. It stands in where
nothing can be estimated.
"""
_GOLD_LOOKED_AT = 2_000
"""The number of gold answers that show how often text names a right answer with its question."""


def find_missing(
    questions: Iterable[Question],
    sources: SourceCaptures,
    *,
    corpus: Corpus | Path | str | None = None,
    completeness: float | None = None,
    most: int | None = None,
) -> list[MissingAnswer]:
    """The answers that questions most likely lack, best first; at most `most` of them.

    `completeness` is that of the gold, by default what the sources show: it decides how far runs are
    believed. With a corpus, pages get their titles, and answers of runs are looked for beside the names in
    questions without a query.
    """
    by_id = {question.id: question for question in questions}
    found_answers = [
        answer for answer in sources.found if answer.question in by_id and GRAPH not in answer.sources
    ]
    if completeness is None:
        completeness = _completeness(by_id.values(), sources)
    likely = _chances(found_answers, sources, completeness)
    pages = None if corpus is None else corpus.folder if isinstance(corpus, Corpus) else Path(corpus)
    named = _with_names(found_answers, by_id, likely, pages)
    order = sorted(
        range(len(found_answers)),
        key=lambda index: (-likely[index], found_answers[index].question, found_answers[index].key),
    )
    chosen = [(found_answers[index], likely[index]) for index in order[:most]]
    titles = _titles(pages, [answer for answer, _chance in chosen], sources)
    return [
        _record(by_id[answer.question], answer, chance, sources, titles, named) for answer, chance in chosen
    ]


def _completeness(questions: Iterable[Question], sources: SourceCaptures) -> float:
    try:
        share = estimate(questions, sources.captures).completeness.estimate
    except RollcallError:  # nothing to estimate it from
        share = None
    return PUBLISHED if share is None else share


def _chances(answers: Sequence[FoundAnswer], sources: SourceCaptures, completeness: float) -> list[float]:
    """How likely each answer is right, before text is searched for names."""
    of_runs = run_chances(sources.runs, completeness)
    known = [fact for fact in sources.stated.values() if fact.known]
    stated = sum(fact.stated for fact in known) / len(known) if known else 0.0
    likely = []
    for answer in answers:
        by_runs = either(*(of_runs.get(run, 0.0) for run in answer.runs))
        if answer.chance is None and answer.question in sources.searched:
            by_runs = weighed(by_runs, 1 - stated)  # text was searched and does not state it
        likely.append(either(answer.chance or 0.0, by_runs))
    return likely


def _with_names(
    answers: Sequence[FoundAnswer],
    questions: Mapping[str, Question],
    likely: list[float],
    corpus: Path | None,
) -> dict[NamedAnswer, Evidence]:
    """Weigh answers that only runs gave by whether text names them with their question; returns the
    sentences.
    """
    of_runs_alone = [index for index, answer in enumerate(answers) if answer.sources == (RUNS,)]
    if corpus is None or not of_runs_alone:
        return {}
    of_found = {index: NamedAnswer(answers[index].question, answers[index].label) for index in of_runs_alone}
    asked = dict.fromkeys(answer_name.question for answer_name in of_found.values())
    of_gold = [NamedAnswer(id_, answer.label) for id_ in asked for answer in questions[id_].answers][
        :_GOLD_LOOKED_AT
    ]
    names = {id_: names_in(questions[id_]) for id_ in asked}
    sentences = find_named(corpus, [*of_found.values(), *of_gold], names)
    if of_gold:
        gold_share = sum(answer_name in sentences for answer_name in of_gold) / len(of_gold)
        found_share = sum(answer_name in sentences for answer_name in of_found.values()) / len(of_found)
        prior = sum(likely[index] for index in of_runs_alone) / len(of_runs_alone)
        for index, answer_name in of_found.items():
            ratio = named_ratio(answer_name in sentences, gold_share, found_share, prior)
            likely[index] = weighed(likely[index], ratio)
    return sentences


def _titles(corpus: Path | None, answers: Iterable[FoundAnswer], sources: SourceCaptures) -> dict[str, str]:
    """The titles of the pages of evidence."""
    if corpus is None:
        return {}
    in_texts = (sources.stated.get(fact) for answer in answers for fact in answer.facts)
    wanted = {
        in_text.sentence.page for in_text in in_texts if in_text is not None and in_text.sentence is not None
    }
    titles: dict[str, str] = {}
    for batch in batches(Pages, corpus / "pages.parquet", ("id", "title")) if wanted else ():
        pairs = zip(batch["id"].to_pylist(), batch["title"].to_pylist(), strict=True)
        titles.update((str(id_), str(title)) for id_, title in pairs if id_ in wanted)
    return titles


def _record(
    question: Question,
    answer: FoundAnswer,
    chance: float,
    sources: SourceCaptures,
    titles: Mapping[str, str],
    named: Mapping[NamedAnswer, Evidence],
) -> MissingAnswer:
    evidence, scores, lacking = [], [], []
    for fact in answer.facts:
        text = Edge(Entity(fact.subject), fact.relation, Entity(fact.object)).text
        in_text, listed = sources.stated.get(fact), sources.listed.get(fact)
        is_new = fact in sources.new
        if is_new:
            lacking.append(text)
        if in_text is not None and in_text.sentence is not None and (in_text.stated or not is_new):
            sentence = in_text.sentence
            evidence.append(
                Evidence(
                    sentence.text,
                    None,
                    titles.get(sentence.page),
                    None,
                    sentence.start,
                    sentence.end,
                    in_text.score,
                    text,
                )
            )
            scores += [in_text.score] if is_new and in_text.score is not None else []
        if listed is not None and is_new:
            evidence.append(Evidence(text=listed.words, title=listed.title, fact=text))
    beside = named.get(NamedAnswer(answer.question, answer.label))
    if beside is not None and not evidence:
        evidence.append(beside)
    return MissingAnswer(
        question=answer.question,
        asked=question.question or next(iter(question.wordings), ""),
        answer=answer.label,
        entity=answer.entity,
        chance=round(chance, 6),
        sources=[*answer.sources, *([TEXT] if beside is not None and TEXT not in answer.sources else [])],
        runs=list(answer.runs),
        score=min(scores, default=None),
        typed=answer.typed,
        facts=lacking,
        evidence=evidence,
    )

"""Ranks what sources found beyond the gold: the answers that a set most likely lacks come first.

Input: questions and `Sources`. Output: `MissingAnswer` records with evidence. Answers that the graph has
and the gold does not are known already, so they are listed only on demand.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rollcall.audit.completeness.estimating import estimate
from rollcall.audit.missing.candidate import MissingAnswer
from rollcall.audit.missing.likelihood import either, named_ratio, run_chances, weighed
from rollcall.audit.missing.named import Sought, find_named, names_in
from rollcall.audit.sources.assembly import GRAPH, RUNS, TEXT, FoundAnswer
from rollcall.audit.sources.gather import Sources
from rollcall.corpus import Corpus
from rollcall.errors import RollcallError
from rollcall.query.statements import Edge, Entity
from rollcall.questions.record import Evidence, Question
from rollcall.tables.corpus import Pages
from rollcall.tables.reader import batches

PUBLISHED = 13.2 / (13.2 + 3.1)
"""The completeness that QAMPARI's authors found: 3.1 further answers beside 13.2. It stands in where
nothing can be estimated.
"""
_GOLD_LOOKED_AT = 2_000
"""So many gold answers show how often text names a right answer with its question."""


def find_missing(
    questions: Iterable[Question],
    sources: Sources,
    *,
    corpus: Corpus | Path | str | None = None,
    completeness: float | None = None,
    most: int | None = None,
    graph_answers: bool = False,
) -> list[MissingAnswer]:
    """The answers that questions most likely lack, best first; at most so many if a number is given.

    `completeness` is that of the gold, by default what the sources show: it decides how far runs are
    believed. With a corpus, pages get their titles, and answers of runs are sought beside the names in
    questions without a query. `graph_answers` lists also what the graph has and the gold does not.
    """
    by_id = {question.id: question for question in questions}
    found = [
        one for one in sources.found if one.question in by_id and (graph_answers or GRAPH not in one.sources)
    ]
    if completeness is None:
        completeness = _completeness(by_id.values(), sources)
    likely = _chances(found, sources, completeness)
    pages = None if corpus is None else corpus.folder if isinstance(corpus, Corpus) else Path(corpus)
    named = _with_names(found, by_id, likely, pages)
    order = sorted(
        range(len(found)), key=lambda place: (-likely[place], found[place].question, found[place].key)
    )
    chosen = [(found[place], likely[place]) for place in order[:most]]
    titles = _titles(pages, [one for one, _chance in chosen], sources)
    return [_record(by_id[one.question], one, chance, sources, titles, named) for one, chance in chosen]


def _completeness(questions: Iterable[Question], sources: Sources) -> float:
    try:
        found = estimate(questions, sources.captures).completeness.estimate
    except RollcallError:  # nothing to estimate it from
        found = None
    return PUBLISHED if found is None else found


def _chances(found: Sequence[FoundAnswer], sources: Sources, completeness: float) -> list[float]:
    """How likely each answer is right, before text is searched for names."""
    of_runs = run_chances(sources.runs, completeness)
    known = [said for said in sources.stated.values() if said.known]
    stated = sum(said.stated for said in known) / len(known) if known else 0.0
    likely = []
    for one in found:
        by_runs = either(*(of_runs.get(run, 0.0) for run in one.runs))
        if one.chance is None and one.question in sources.searched:
            by_runs = weighed(by_runs, 1 - stated)  # text was searched and does not state it
        likely.append(either(one.chance or 0.0, by_runs))
    return likely


def _with_names(
    found: Sequence[FoundAnswer], questions: Mapping[str, Question], likely: list[float], corpus: Path | None
) -> dict[Sought, Evidence]:
    """Weigh answers that only runs gave by whether text names them with their question; returns the
    sentences.
    """
    places = [place for place, one in enumerate(found) if one.sources == (RUNS,)]
    if corpus is None or not places:
        return {}
    of_found = {place: Sought(found[place].question, found[place].label) for place in places}
    asked = dict.fromkeys(one.question for one in of_found.values())
    of_gold = [Sought(id_, answer.label) for id_ in asked for answer in questions[id_].answers][
        :_GOLD_LOOKED_AT
    ]
    names = {id_: names_in(questions[id_]) for id_ in asked}
    sentences = find_named(corpus, [*of_found.values(), *of_gold], names)
    if of_gold:
        gold_share = sum(one in sentences for one in of_gold) / len(of_gold)
        found_share = sum(one in sentences for one in of_found.values()) / len(of_found)
        prior = sum(likely[place] for place in places) / len(places)
        for place, one in of_found.items():
            ratio = named_ratio(one in sentences, gold_share, found_share, prior)
            likely[place] = weighed(likely[place], ratio)
    return sentences


def _titles(corpus: Path | None, found: Iterable[FoundAnswer], sources: Sources) -> dict[str, str]:
    """The titles of the pages of evidence."""
    if corpus is None:
        return {}
    said = (sources.stated.get(fact) for one in found for fact in one.facts)
    wanted = {one.sentence.page for one in said if one is not None and one.sentence is not None}
    titles: dict[str, str] = {}
    for batch in batches(Pages, corpus / "pages.parquet", ("id", "title")) if wanted else ():
        pairs = zip(batch["id"].to_pylist(), batch["title"].to_pylist(), strict=True)
        titles.update((str(id_), str(title)) for id_, title in pairs if id_ in wanted)
    return titles


def _record(
    question: Question,
    one: FoundAnswer,
    chance: float,
    sources: Sources,
    titles: Mapping[str, str],
    named: Mapping[Sought, Evidence],
) -> MissingAnswer:
    evidence, scores, lacking = [], [], []
    for fact in one.facts:
        text = Edge(Entity(fact.subject), fact.relation, Entity(fact.object)).text
        said, listed = sources.stated.get(fact), sources.listed.get(fact)
        is_new = fact in sources.new
        if is_new:
            lacking.append(text)
        if said is not None and said.sentence is not None and (said.stated or not is_new):
            place = said.sentence
            evidence.append(
                Evidence(
                    place.text, None, titles.get(place.page), None, place.start, place.end, said.score, text
                )
            )
            scores += [said.score] if is_new and said.score is not None else []
        if listed is not None and is_new:
            evidence.append(Evidence(text=listed.words, title=listed.title, fact=text))
    beside = named.get(Sought(one.question, one.label))
    if beside is not None and not evidence:
        evidence.append(beside)
    return MissingAnswer(
        question=one.question,
        asked=question.question or next(iter(question.wordings), ""),
        answer=one.label,
        entity=one.entity,
        chance=round(chance, 6),
        sources=[*one.sources, *([TEXT] if beside is not None and TEXT not in one.sources else [])],
        runs=list(one.runs),
        score=min(scores, default=None),
        typed=one.typed,
        facts=lacking,
        evidence=evidence,
    )

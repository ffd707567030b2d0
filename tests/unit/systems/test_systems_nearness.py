"""What the reader `rollcall` makes of passages that are near a question."""

import json
import math
import sys

import numpy as np
import pytest

import rollcall
from rollcall._core.errors import RollcallWarning
from rollcall.graph import EntityRecord, write_graph
from rollcall.systems import Context
from rollcall.systems.read import rollcall_reader
from rollcall.systems.read.combined.nearness import NEARNESS, nearness
from rollcall.systems.read.rollcall_reader import open_nearness, open_search
from rollcall.systems.read.support import ReadPassage, ReadSentence
from rollcall.systems.retrieve.learned import encoder_weights

PAGES = {
    "Orla Venn": "Orla Venn was a film director from Aarhus.",
    "The Long Quay": "The Long Quay is a drama film of 1974, which Orla Venn directed.",
    "Salt and Iron": "Salt and Iron is a thriller film that was directed by Orla Venn in 1981.",
    "Marrow Hill": "Marrow Hill is a village in the north, with a church and two mills.",
    "River Teme": "The Teme is a river that flows through three counties into the sea.",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("rollcall_models")
    folder = tmp_path_factory.mktemp("near")
    pages = [
        {"title": title, "text": text, "entity": f"Q{n}"} for n, (title, text) in enumerate(PAGES.items())
    ]
    (folder / "pages.jsonl").write_text("".join(json.dumps(one) + "\n" for one in pages))
    entities = [EntityRecord(f"Q{number}", title) for number, title in enumerate(PAGES)]
    write_graph(folder / "graph", entities=entities)
    rollcall.make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    return folder


def passage(near: float, *entities: int, owner: int | None = None) -> ReadPassage:
    sentence = ReadSentence("", "", frozenset(), frozenset(entities), {})
    return ReadPassage(owner, "", [sentence], 0.0, near)


def column(rows, name):
    return rows[:, NEARNESS.index(name)].tolist()


def test_an_answer_is_as_near_as_the_passages_that_name_it():
    read = [passage(0.5, 1, 2), passage(0.75, 2, owner=3), passage(0.25, 1), passage(math.nan, 4)]
    rows = nearness([1, 2, 3, 4, "1990"], read)
    assert column(rows, "nearest passage") == [0.5, 0.75, 0.75, -1.0, -1.0]
    assert column(rows, "second nearest passage") == [0.25, 0.5, -1.0, -1.0, -1.0]
    assert column(rows, "own page") == [-1.0, -1.0, 0.75, -1.0, -1.0]
    assert column(rows, "behind the nearest of all") == [0.25, 0.0, 0.0, 2.0, 2.0]
    ranks = column(rows, "rank of the nearest passage")
    assert ranks[1] == 1.0
    assert ranks[1] > ranks[2] > ranks[0] > ranks[3] == ranks[4]


def test_where_nothing_is_encoded_nothing_is_known():
    rows = nearness([1, 2], [passage(math.nan, 1), passage(math.nan, 2)])
    assert rows.shape == (2, len(NEARNESS))
    assert np.isnan(rows).all()


def test_answers_are_read_that_were_not_retrieved(made):
    asked = [{"id": "q", "question": "Which films did Orla Venn direct?", "answers": ["Salt and Iron"]}]
    places = {"corpus": made / "corpus", "graph": made / "graph", "k": 1}
    found = {
        nearest: rollcall.run(
            asked, "rollcall", retriever="bm25", options={"further": 0, "nearest": nearest}, **places
        ).predictions[0]
        for nearest in (0, 3)
    }
    assert {one.label for one in found[3].answers} >= {"The Long Quay", "Salt and Iron"}
    assert len(found[0].answers) < 2, "one passage names one film"
    assert found[3].cost == {"passages": 2, "retrievals": 1}, "what was retrieved is not read again"


def test_a_corpus_that_would_take_long_is_not_encoded(made, monkeypatch, tmp_path):
    monkeypatch.setattr(rollcall_reader, "_ENCODED", len(PAGES) - 1)
    with Context(corpus=made / "corpus", index=tmp_path, progress=False) as context:
        with pytest.warns(RollcallWarning, match="the corpus has 5 passages"):
            assert open_nearness(context) is None
        assert open_search(context, None, 0) is None
    monkeypatch.setattr(rollcall_reader, "_ENCODED", len(PAGES))
    with Context(corpus=made / "corpus", index=tmp_path, progress=False) as context:
        assert open_nearness(context) is not None
        assert open_nearness(context, 0) is None
    assert open_nearness(Context()) is None
    monkeypatch.setattr(rollcall_reader, "_ENCODED", 1)
    with Context(corpus=made / "corpus", index=tmp_path, progress=False) as context:
        assert open_nearness(context) is not None, "it is encoded already"


def test_without_the_package_a_warning_says_what_is_missing(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "rollcall_models", None)
    context = Context(corpus=made / "corpus", progress=False)
    with context, pytest.warns(RollcallWarning, match="pip install rollcall-models"):
        assert open_nearness(context) is None


def test_a_run_says_which_encoder_it_used(made):
    asked = [{"id": "q", "question": "Which films did Orla Venn direct?", "answers": ["Salt and Iron"]}]
    places = {"corpus": made / "corpus", "graph": made / "graph", "k": 1}
    run = rollcall.run(asked, "rollcall", retriever="bm25", **places)
    assert run.settings["reader"]["encoder"] == encoder_weights()
    run = rollcall.run(asked, "rollcall", retriever="bm25", options={"nearest": 0}, **places)
    assert run.settings["reader"]["encoder"] is None

"""The search for evidence and the contrast verifier on a small world whose truth is known."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evidence_world import make_small_world, naive_mentions
from rollcall import RollcallError
from rollcall.corpus import Corpus
from rollcall.evidence import Acceptance, Verifier, find_evidence
from rollcall.evidence.candidate import from_table
from rollcall.evidence.labelled import DECOY, STATES, WorldTruth, verification
from rollcall.evidence.search.page import PageBlock
from rollcall.evidence.search.run import candidates_of, find_candidates
from rollcall.evidence.verifiers.contrast.model import learn_relation, read_models
from rollcall.evidence.verifiers.contrast.training_sentences import (
    read_training_sentences,
    write_training_sentences,
)
from rollcall.evidence.verifiers.contrast.verifier import (
    ContrastVerifier,
    draw_training_sentences,
    learn_contrast,
)
from rollcall.evidence.verifiers.models import EveryMention
from rollcall.tables.build import Candidates
from rollcall.tables.engine import opened
from rollcall.tables.files import read
from rollcall.text.name_forms import BETWEEN

COMMON = ("P19", "P27", "P40", "P57", "P136", "P161", "P162", "P166", "P569", "P577", "P3373", "P69")
"""Relations of which even a small world has a hundred examples."""


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return make_small_world(tmp_path_factory.mktemp("world"), 700)


@pytest.fixture(scope="module")
def everything(world):
    """All candidates, as a verifier that takes every mention leaves them."""
    out = world / "everything.parquet"
    find_evidence(
        world / "graph", world / "corpus", world / "facts.parquet", out, verifier="none", per_fact=99, jobs=1
    )
    return pq.read_table(out).to_pylist()


@pytest.fixture(scope="module")
def training(world):
    return draw_training_sentences(world / "graph", world / "corpus")


@pytest.fixture(scope="module")
def verifier(training):
    return learn_contrast(training, relations=COMMON)


@pytest.fixture(scope="module")
def truth(world):
    return WorldTruth(world / "truth.parquet", Corpus.open(world / "corpus"))


def test_evidence_that_nothing_judged_has_no_score(world, everything, tmp_path):
    assert everything
    assert {(row["score"], row["validated"]) for row in everything} == {(None, True)}
    given = world / "graph", world / "corpus", world / "facts.parquet", tmp_path / "out.parquet"
    with pytest.raises(RollcallError, match="the verifier none gives no scores"):
        find_evidence(*given, verifier="none", accepting=Acceptance(threshold=0.5), jobs=1)


def test_the_search_finds_only_sentences_that_name_both_ends(world, tmp_path):
    with opened("duckdb", jobs=1) as engine:
        find_candidates(tmp_path, world / "graph", world / "corpus", world / "facts.parquet", engine)
    found = [
        one for path in tmp_path.glob("candidates/*.parquet") for one in from_table(read(Candidates, path))
    ]
    assert {one.side for one in found} == {"subject", "object", "neither"}
    assert not [one for one in found if one.unnamed]


def test_told_facts_are_found(world, everything):
    found = {(row["subject"], row["relation"], row["object"], row["text"]) for row in everything}
    facts = {
        (row["subject"], row["relation"], row["object"])
        for row in pq.read_table(world / "facts.parquet").to_pylist()
    }
    told = [
        (row["subject"], row["relation"], row["object"], row["sentence"])
        for row in pq.read_table(world / "truth.parquet").to_pylist()
        if row["kind"] == "fact"
        and row["sentence"]
        and (row["subject"], row["relation"], row["object"]) in facts
    ]
    assert len(told) > 3000
    assert sum(key not in found for key in told) <= 0.01 * len(told)


def test_agrees_with_a_plain_loop_over_names(world, everything):
    """What only the loop finds lies inside longer names; what only the search finds is linked or opens."""
    fast = {
        (row["subject"], row["relation"], row["object"], row["page"], row["sentence"])
        for row in everything
        if not row["literal"]
    }
    slow = naive_mentions(world)
    assert len(fast & slow) >= 0.97 * len(fast)
    told = {
        (row["subject"], row["relation"], row["object"], row["sentence"])
        for row in pq.read_table(world / "truth.parquet").to_pylist()
        if row["kind"] == "fact"
    }
    texts = {
        (row["page"], row["number"]): row["text"]
        for row in pq.read_table(world / "corpus" / "sentences.parquet").to_pylist()
    }
    lost = [key for key in slow - fast if (*key[:3], texts[key[3:]]) in told]
    assert len(lost) <= 0.01 * len(slow)


def test_evidence_has_its_place(world, everything):
    corpus = Corpus.open(world / "corpus")
    for row in everything[::400]:
        assert corpus.text(row["page"])[row["start"] : row["end"]] == row["text"]
        assert row["text"] in corpus.passage(row["passage"]).text
        assert row["name"] in row["text"]


def test_any_number_of_jobs_and_blocks_of_any_size_give_the_same_bytes(world, verifier, monkeypatch):
    outs = [world / f"jobs{jobs}.parquet" for jobs in (1, 2)]
    summaries = []
    for jobs, out in enumerate(outs, 1):
        inputs = (world / "graph", world / "corpus", world / "facts.parquet", out)
        summaries.append(find_evidence(*inputs, verifier=verifier, jobs=jobs))
        monkeypatch.setattr("rollcall.evidence.mentions.places._ROWS", 1000)
        monkeypatch.setattr("rollcall.evidence.search.page.PAGES_PER_BLOCK", 30)
        monkeypatch.setattr("rollcall.evidence.search.run.WORTHWHILE", 0)
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert summaries[0] == summaries[1]
    rows = pq.read_table(outs[0]).to_pylist()
    assert len(rows) == summaries[0].found
    assert sum(row["validated"] for row in rows) == summaries[0].validated
    assert {row["side"] for row in rows} == {"subject", "object", "neither"}
    assert not list(world.glob("*.rollcall-*"))


def test_contrast_keeps_what_states_and_removes_decoys(world, everything, verifier, truth):
    out = world / "judged.parquet"
    find_evidence(
        world / "graph",
        world / "corpus",
        world / "facts.parquet",
        out,
        verifier=verifier,
        per_fact=99,
        jobs=1,
    )
    rows = [row for row in pq.read_table(out).to_pylist() if row["relation"] in COMMON]
    states = np.array(
        [
            truth.state(row["subject"], row["relation"], row["object"], row["page"], row["text"])
            for row in rows
        ]
    )
    numbers: dict[tuple[str, str, str], int] = {}
    facts = np.array(
        [numbers.setdefault((row["subject"], row["relation"], row["object"]), len(numbers)) for row in rows]
    )
    scores = np.array([row["score"] for row in rows])
    accepted = np.array([row["validated"] for row in rows])
    figures = verification(states, scores, accepted, facts)
    assert figures.decoys > 150
    # The targets are 5 %, 90 % and 98 %, and met by larger worlds: benchmarks/bench_trust.py.
    assert figures.true_lost <= 0.08
    assert figures.decoys_removed >= 0.75
    assert figures.evidence_true >= 0.96
    assert scores[states == STATES].mean() > 2 * scores[states == DECOY].mean()


def test_reasons_are_the_words_that_tell(verifier, tmp_path):
    from rollcall.evidence.labelled import Triple, to_candidates

    triple = Triple("Ann Marl was born in Norrow.", "Ann Marl", "P19", "Norrow")
    (candidate,) = to_candidates([triple])
    reasons = verifier.explain(candidate)
    assert any("born" in reason.feature and reason.weight > 0 for reason in reasons)
    wrong = to_candidates([Triple("Ann Marl never saw Norrow again.", "Ann Marl", "P19", "Norrow")])
    right, other = verifier.scores([candidate, *wrong])
    assert right > 0.8 > 0.5 > other
    verifier.save(tmp_path / "kept")
    loaded = ContrastVerifier.load(tmp_path / "kept")
    assert np.array_equal(loaded.scores([candidate, *wrong]), [right, other])
    assert loaded.explain(candidate) == reasons
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "kept").read_bytes()


def test_what_was_learned_before_need_not_be_learned_again(training, verifier, tmp_path, monkeypatch):
    """The second verifier of a build uses the examples and the relations of the first: the same bytes."""
    wanted = ("P19", "P569", "P26")
    learn_contrast(training, relations=wanted).save(tmp_path / "alone")
    verifier.save(tmp_path / "earlier")
    write_training_sentences(tmp_path / "training", training)
    now = []
    monkeypatch.setattr(
        "rollcall.evidence.verifiers.contrast.verifier.learn_relation",
        lambda task: now.append(task.relation) or learn_relation(task),
    )
    earlier, _shared = read_models(tmp_path / "earlier")
    again = learn_contrast(read_training_sentences(tmp_path / "training"), relations=wanted, earlier=earlier)
    again.save(tmp_path / "continued")
    assert (tmp_path / "continued").read_bytes() == (tmp_path / "alone").read_bytes()
    assert now == ["P26"]


LINKS = [
    ("page", pa.string()),
    *((name, pa.int64()) for name in ("sentence", "start", "end")),
    ("entity", pa.string()),
]


def candidates(sentences, names, topic="Ann Marl", **links):
    """What is found on a page of the topic S, given the names of the other ends and links by sentence."""
    starts = [sum(len(text) + 1 for text in sentences[:number]) for number in range(len(sentences))]
    wants = [
        {
            **{"page": "1", "subject": "S", "relation": "r", "object": other, "literal": False},
            **{"side": "subject", "names": BETWEEN.join(given), "label": given[0]},
        }
        for other, given in names.items()
    ]
    listed = [
        {"page": "1", "number": number, "text": text, "start": start, "end": start + len(text)}
        for number, (text, start) in enumerate(zip(sentences, starts, strict=True))
    ]
    linked = [
        {"page": "1", "sentence": number, "start": start + a, "end": start + b, "entity": entity}
        for number, start in enumerate(starts)
        for a, b, entity in links.get(f"s{number}", ())
    ]
    block = PageBlock(
        0,
        pa.Table.from_pylist(wants),
        pa.table({"page": ["1"], "topic": ["S"], "names": [topic], "label": [topic]}),
        pa.Table.from_pylist(listed),
        pa.Table.from_pylist(linked, schema=pa.schema(LINKS)),
    )
    return from_table(candidates_of(block))


def search(sentences, names, topic="Ann Marl", **links):
    found = candidates(sentences, names, topic, **links)
    return [(candidate.object, candidate.sentence) for candidate in found]


def test_links_decide_what_a_name_means():
    names = {"york": ["York"], "new": ["New York"], "ny": ["the City"]}
    assert search(["She left New York for York."], names) == [("york", 0), ("new", 0)]
    linked = search(["She saw Big Apple.", "York is far."], {"york": ["York"]}, s0=[(8, 17, "york")])
    assert linked == [("york", 0), ("york", 1)]
    elsewhere = search(["York is far.", "Back to York."], {"york": ["York"]}, s0=[(0, 4, "another")])
    assert elsewhere == []


def test_a_page_may_have_several_topics():
    """Each is searched for what is wanted of it, and its own name is not the other end."""
    text = "Ann Marl and Ben Marl left Norrow."
    named = {"S": "Ann Marl", "T": "Ben Marl", "o": "Norrow"}
    wants = [("S", "T"), ("T", "S"), ("T", "o"), ("S", "S")]
    block = PageBlock(
        0,
        pa.Table.from_pylist(
            [
                {
                    **{"page": "1", "subject": topic, "relation": "r", "object": other, "literal": False},
                    **{"side": "subject", "names": named[other], "label": named[other]},
                }
                for topic, other in wants
            ]
        ),
        pa.table(
            {"page": ["1", "1"], "topic": ["S", "T"], "names": ["", ""], "label": ["Ann Marl", "Ben Marl"]}
        ),
        pa.table({"page": ["1"], "number": [0], "text": [text], "start": [0], "end": [len(text)]}),
        pa.table({name: pa.array([], kind) for name, kind in LINKS}),
    )
    found = [(one.subject, one.object, one.subject_places) for one in from_table(candidates_of(block))]
    assert found == [("S", "T", ((0, 8),)), ("T", "S", ((13, 21),)), ("T", "o", ((13, 21),))]


def test_the_topics_own_name_is_not_the_other_end():
    assert search(["Marl died."], {"father": ["Ben Marl", "Marl"]}) == []
    assert search(["Ben Marl was her father."], {"father": ["Ben Marl", "Marl"]}) == [("father", 0)]
    assert search(["The Battle of Marl was long."], {"place": ["Marl"]}, topic="Battle of Marl") == []


def test_the_premise_has_two_sentences_before():
    sentences = ["One.", "Two.", "Three.", "She left Norrow."]
    (candidate,) = candidates(sentences, {"o": ["Norrow"]}, topic="Ann")
    assert candidate.premise == "Two. Three. She left Norrow."
    assert candidate.subject_places == ((0, 3),)


def test_wrong_tables_of_facts_are_refused(world, tmp_path):
    empty = tmp_path / "facts.parquet"
    pq.write_table(pa.table({"subject": ["a"]}), empty)
    with pytest.raises(RollcallError, match="no column 'relation'"):
        find_evidence(world / "graph", world / "corpus", empty, tmp_path / "out.parquet")
    with pytest.raises(RollcallError, match="no such file"):
        find_evidence(world / "graph", world / "corpus", tmp_path / "none", tmp_path / "out.parquet")


def test_no_facts_give_an_empty_table(world, tmp_path):
    facts = tmp_path / "facts.parquet"
    pq.write_table(pq.read_table(world / "facts.parquet").slice(0, 0), facts)
    summary = find_evidence(
        world / "graph", world / "corpus", facts, tmp_path / "out.parquet", verifier=EveryMention(), jobs=1
    )
    assert summary.facts == summary.found == 0
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 0


class ByLength(Verifier):
    """Believes in long sentences, and accepts none."""

    name = "length"
    threshold = 2.0

    def scores(self, candidates):
        return np.array([len(candidate.text) / 10_000 for candidate in candidates])


def test_a_share_of_each_relations_facts_is_taken_to_be_stated(world, tmp_path):
    found = {}
    for stated in (None, 0.5):
        out = tmp_path / f"{stated}.parquet"
        facts = world / "facts.parquet"
        find_evidence(
            *(world / "graph", world / "corpus", facts, out),
            **{
                "verifier": ByLength(),
                "accepting": Acceptance(stated=stated),
                "where": "own-pages",
                "jobs": 1,
            },
        )
        found[stated] = pq.read_table(out).to_pylist()
    assert not any(row["validated"] for row in found[None])
    assert [row["score"] for row in found[None]] == [row["score"] for row in found[0.5]]
    of_relation = {}
    for row in found[0.5]:
        of_relation.setdefault(row["relation"], []).append((row["score"], row["validated"]))
    for relation, rows in of_relation.items():
        accepted = [score for score, validated in rows if validated]
        rejected = [score for score, validated in rows if not validated]
        assert min(accepted) >= max(rejected, default=0.0), relation
        assert len(accepted) >= len(rows) / 2 > sum(score > min(accepted) for score in accepted) - 1, relation

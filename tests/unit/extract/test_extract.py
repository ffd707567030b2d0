"""From documents to a graph and a corpus tied to it, by a scripted model behind a real server."""

import json
import re
from pathlib import Path

import msgspec
import pytest

import pump_documents
import rollcall
from model_server import ModelServer
from rollcall import RollcallError
from rollcall.corpus import Corpus, make_corpus
from rollcall.evidence import Verifier
from rollcall.extract import Extraction, StatedFact, expected_cost, propose, read_schema
from rollcall.llm import Budget, BudgetSpentError, Client, Prices, ReplyCache

pytest.importorskip("openai", reason="the extra `llm` is not installed")


class FakeVerifier(Verifier):
    """Accepts the sentences that do not have a word."""

    name = "fake"

    def __init__(self, refused: str = "") -> None:
        self.refused = refused
        self.seen = []

    def scores(self, candidates):
        import numpy as np

        self.seen += candidates
        return np.array([0.1 if self.refused and self.refused in one.text else 0.9 for one in candidates])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Corpus:
    folder = tmp_path_factory.mktemp("pumps")
    return make_corpus(
        [pump_documents.write(folder / "texts")], folder / "corpus", jobs=1, show_progress=False
    )


@pytest.fixture
def schema(tmp_path) -> Path:
    (tmp_path / "schema.yaml").write_text(pump_documents.SCHEMA)
    return tmp_path / "schema.yaml"


def client(server: ModelServer, tmp_path: Path, **options) -> Client:
    return Client(server.url, **{"concurrency": 2, "cache": ReplyCache(tmp_path / "replies"), **options})


def extract(corpus: Corpus, schema: Path, server: ModelServer, **options) -> Extraction:
    made = client(server, schema.parent, **options.pop("of_client", {}))
    options.setdefault("verifier", "none")
    try:
        return rollcall.extract(
            corpus, schema.parent / "mine", client=made, model="m", schema=schema, **options
        )
    finally:
        made.close()


def facts_of(made: Extraction) -> set[tuple[str, str, str]]:
    graph = made.graph
    facts = {
        (graph.label(row["subject"]), graph.relation_label(row["relation"]), graph.label(row["object"]))
        for row in graph.tables.facts.to_pyarrow().to_pylist()
    }
    values = graph.tables.values.to_pyarrow().to_pylist()
    return facts | {
        (graph.label(row["subject"]), row["relation"], row["value"].lstrip("@")) for row in values
    }


def statements_of(made: Extraction) -> list[StatedFact]:
    lines = made.statements.read_bytes().splitlines()
    return [msgspec.json.decode(line, type=StatedFact) for line in lines]


def test_a_perfect_reader_gives_the_facts_with_names_merged_and_the_corpus_tied(corpus, schema):
    with ModelServer(pump_documents.read) as server:
        made = extract(corpus, schema, server)
    assert facts_of(made) == pump_documents.FACTS
    names = {made.graph.label(one) for one in made.graph.tables.entities.id.to_pyarrow().to_pylist()}
    assert {"Nordwerk AG", "Ada Moss", "Jonas Pell"} <= names
    assert not {"Nordwerk", "Moss", "Pell"} & names, "short forms are merged on their pages"
    assert set(made.graph.entity("Nordwerk AG").aliases) == {"Nordwerk"}
    tied = {page.title: page.entity for page in made.corpus.pages()}
    assert tied["Nordwerk AG"] == "Nordwerk AG"
    assert tied["Customers in the north"] is None
    links = {
        (link.anchor, link.entity) for page in made.corpus.pages() for link in made.corpus.links(page.id)
    }
    assert ("Nordwerk", "Nordwerk AG") in links
    assert {page.id: corpus.text(page.id) for page in corpus.pages()} == {
        page.id: made.corpus.text(page.id) for page in made.corpus.pages()
    }
    assert all(page.entity is None for page in corpus.pages()), "the corpus itself is left as it is"
    texts, out = corpus.folder.parent / "texts", schema.parent / "again"
    again = make_corpus([texts], out, graph=made.graph.folder, jobs=1, show_progress=False)
    assert {page.title: page.entity for page in again.pages()} == tied, (
        "any corpus of these pages can be tied"
    )


def test_every_fact_keeps_the_sentence_that_states_it(corpus, schema):
    with ModelServer(pump_documents.read) as server:
        told = statements_of(extract(corpus, schema, server))
    for one in told:
        assert one.sentence is not None
        assert corpus.sentences(one.page)[one.sentence].text == one.text
        about_object = one.object == corpus.page(one.page).title
        assert (one.subject_name if about_object else one.object_name).split()[-1] in one.text
    places = {(one.subject, one.page) for one in told if one.object == "Jonas Pell"}
    assert ("Otter Pump", "otter_pump.txt") in places
    assert ("Otter Pump", "jonas_pell.txt") in places, "a fact keeps each of its places"


def test_the_verifier_drops_what_no_sentence_states_or_marks_it(corpus, schema):
    with ModelServer(pump_documents.read) as server:
        judge = FakeVerifier("was born")
        made = extract(corpus, schema, server, verifier=judge)
        assert facts_of(made) == {fact for fact in pump_documents.FACTS if fact[1] != "born in"}
        assert (made.found, made.kept) == (len(pump_documents.FACTS), len(pump_documents.FACTS) - 2)
        dropped = [one for one in statements_of(made) if not one.kept]
        assert {(one.relation, one.stated, one.score) for one in dropped} == {("P19", False, 0.1)}
        kept = extract(corpus, schema, server, verifier=FakeVerifier("was born"), drop=False)
    assert facts_of(kept) == pump_documents.FACTS
    assert {one.stated for one in statements_of(kept)} == {True, False}
    born = next(one for one in judge.seen if one.subject == "Ada Moss" and one.relation == "P19")
    assert (born.text, born.side) == ("She was born in Veld.", "subject")
    assert born.text[slice(*born.subject_places[0])] == "She"
    assert born.text[slice(*born.object_places[0])] == "Veld"
    assert "was an engineer" in born.before


def test_the_share_that_may_be_lost_sets_the_threshold(corpus, schema):
    with ModelServer(pump_documents.read) as server:
        made = extract(corpus, schema, server, verifier=FakeVerifier("was born"), lose=0.0)
        assert facts_of(made) == pump_documents.FACTS
        made = extract(corpus, schema, server, verifier=FakeVerifier("was born"), lose=0.2)
    assert {fact[1] for fact in pump_documents.FACTS - facts_of(made)} == {"born in"}


def test_contrast_marks_alone_because_ten_documents_teach_it_little(corpus, schema):
    with ModelServer(pump_documents.read) as server:
        made = extract(corpus, schema, server, verifier="contrast")
        assert facts_of(made) == pump_documents.FACTS
        assert made.kept == made.found
        assert all(one.score is not None for one in statements_of(made))
        unstated = {(one.subject, one.relation, one.object) for one in statements_of(made) if not one.stated}
        strict = extract(corpus, schema, server, verifier="contrast", drop=True)
    assert strict.kept == strict.found - strict.unstated
    assert made.unstated == strict.unstated <= len(unstated)
    left = [path.name for path in schema.parent.iterdir() if path.name.startswith(".")]
    assert not left, "drafts are removed"


def test_a_fact_that_another_sentence_states_is_kept(corpus, schema):
    with ModelServer(pump_documents.read) as server:
        made = extract(corpus, schema, server, verifier=FakeVerifier("Pell designed"))
    assert ("Otter Pump", "designed by", "Jonas Pell") in facts_of(made)
    marked = {one.page: one.stated for one in statements_of(made) if one.subject == "Otter Pump"}
    assert marked["jonas_pell.txt"] is False
    assert marked["otter_pump.txt"] is True


def test_what_a_model_makes_up_is_left_out_and_counted(corpus, schema):
    def lie(body):
        said = json.loads(pump_documents.read(body))
        said["entities"] += [{"name": "Atlantis", "class": "place"}, {"name": "Veld", "class": "moon"}]
        for relation, object_ in (
            ("born in", "Atlantis"),
            ("eats", "Veld"),
            ("founded in", "1066"),
            ("born in", "Ada Moss"),
        ):
            said["facts"].append(
                {"sentence": 99, "subject": "Ada Moss", "relation": relation, "object": object_}
            )
        return json.dumps(said)

    with ModelServer(lie) as server:
        made = extract(corpus, schema, server)
    assert facts_of(made) == pump_documents.FACTS
    assert made.left_out["things whose name the text does not have"] == len(pump_documents.TEXTS)
    assert made.left_out["things of a class that the schema does not have"] == len(pump_documents.TEXTS)
    assert made.left_out["facts of a relation that the schema does not have"] == len(pump_documents.TEXTS)


# -- replies that cannot be used ----------------------------------------------------------------------


def once_each(*odd: str):
    """Replies with something odd first, to each page, and properly afterwards."""
    seen: dict[str, int] = {}

    def answer(body):
        prompt = body["messages"][-1]["content"]
        seen[prompt] = seen.get(prompt, 0) + 1
        return odd[seen[prompt] - 1] if seen[prompt] <= len(odd) else pump_documents.read(body)

    return answer


def test_an_unusable_reply_is_asked_for_again(corpus, schema):
    with ModelServer(once_each("I am sorry.", "[[[[")) as server:
        made = extract(corpus, schema, server)
    assert facts_of(made) == pump_documents.FACTS
    assert (made.asked_again, made.unusable) == (2 * len(pump_documents.TEXTS), [])


def test_some_blocks_may_stay_unread_and_the_next_run_asks_for_them(corpus, schema):
    def answer(body):
        return "no" if "Page: Brenner" in body["messages"][-1]["content"] else pump_documents.read(body)

    with ModelServer(answer) as server:
        made = extract(corpus, schema, server)
        assert made.unusable == ["Brenner GmbH: no JSON of the form asked for ('no')"]
        server.answer = pump_documents.read
        before = len(server.received)
        again = extract(corpus, schema, server)
        assert len(server.received) == before + 1
    assert facts_of(again) == pump_documents.FACTS


@pytest.mark.parametrize(
    "answer",
    [lambda body: "no", lambda body: "", lambda body: {"text": "{" * 5000}],
    ids=["no", "empty", "braces"],
)
def test_too_many_unusable_replies_stop_with_one_line(corpus, schema, answer):
    with (
        ModelServer(answer) as server,
        pytest.raises(RollcallError, match="10 of 10 replies of m cannot be used") as told,
    ):
        extract(corpus, schema, server)
    assert "\n" not in str(told.value)
    assert not (schema.parent / "mine").exists()


def test_refusals_and_errors_of_the_server_are_unusable_too(corpus, schema):
    with ModelServer(pump_documents.read, ["refuse"] * 3 + [(400, {}, "no")]) as server:
        made = extract(corpus, schema, server, of_client={"concurrency": 1})
    assert made.asked_again == 3
    assert len(made.unusable) == 1
    assert "the server answered 400" in made.unusable[0]


def test_a_reply_that_is_too_long_is_asked_for_in_halves(corpus, schema):
    with ModelServer(pump_documents.read, ["long"] * 4) as server:
        made = extract(corpus, schema, server)
    assert facts_of(made) == pump_documents.FACTS


# -- cost, and going on -------------------------------------------------------------------------------


def test_the_cost_is_told_before_and_nothing_is_paid_for_twice(corpus, schema):
    told = []
    with ModelServer(pump_documents.read) as server:
        made = client(server, schema.parent, prices=Prices(1.0, 2.0))
        cost = expected_cost(corpus, made, "m", schema)
        made.close()
        assert not server.received
        extract(corpus, schema, server, announce=told.append)
        extract(corpus, schema, server, announce=told.append)
        assert len(server.received) == len(pump_documents.TEXTS)
    assert (cost.pages, cost.requests, cost.answered) == (10, 10, 0)
    assert cost.money == pytest.approx((cost.prompt_tokens + 2 * cost.reply_tokens) / 1e6)
    assert cost.reply_tokens < cost.most_reply_tokens == 10 * 2048
    assert [one.answered for one in told] == [0, 10]
    assert "10 pages in 10 requests (10 answered before)" in str(told[1])


def test_a_budget_stops_it_and_the_same_call_goes_on(corpus, schema):
    with ModelServer(pump_documents.read) as server:
        with pytest.raises(BudgetSpentError):
            extract(corpus, schema, server, of_client={"budget": Budget(tokens=3500)})
        paid = len(server.received)
        assert 0 < paid < 10
        made = extract(corpus, schema, server)
        assert len(server.received) == 10
    assert facts_of(made) == pump_documents.FACTS


def test_the_result_is_the_same_in_any_order_of_replies(corpus, schema, tmp_path):
    def bytes_of(made: Extraction) -> dict[str, bytes]:
        files = [
            path for folder in (made.graph.folder, made.corpus.folder) for path in folder.rglob("*.parquet")
        ]
        return {path.name: path.read_bytes() for path in [*files, made.statements]}

    with ModelServer(pump_documents.read) as server:
        first = bytes_of(extract(corpus, schema, server))
        (schema.parent / "replies").unlink()
        second = bytes_of(extract(corpus, schema, server, of_client={"per_minute": 100_000}))
    assert first == second


# -- schemas that a model proposes --------------------------------------------------------------------

PROPOSAL = {
    "classes": {
        "company": "a firm",
        "person": "somebody",
        "product": {"meaning": "what is sold"},
        "date": "a day",
    },
    "relations": {
        "founded by": {"subject": "Company", "object": "person", "example": "It was founded by Ada Moss."},
        "founded in": {"subject": "company", "object": "date"},
        "stands_in": {"subject": "company", "object": "country"},
        "empty": "nothing",
    },
}


def test_a_schema_is_proposed_from_a_sample_and_can_be_read(corpus, tmp_path):
    with ModelServer(lambda body: {"text": json.dumps(PROPOSAL)}, script=[]) as server:
        made = client(server, tmp_path)
        propose(corpus, tmp_path / "proposed.yaml", made, "m", sample=4)
        made.close()
    (asked,) = server.received
    assert len(re.findall(r"^Text \d", asked["messages"][-1]["content"], re.MULTILINE)) == 4
    schema = read_schema(tmp_path / "proposed.yaml")
    assert set(schema.relations) == {"founded by", "founded in", "stands in"}
    assert schema.relations["stands in"].object == "thing", "an end of no class may be anything"
    assert schema.fits("company", "thing")
    assert schema.classes["product"].meaning == "what is sold"


def test_a_model_that_proposes_nothing_is_said_to(corpus, tmp_path):
    with ModelServer(lambda body: "I like pumps.") as server:
        made = client(server, tmp_path)
        with pytest.raises(
            RollcallError, match=r"m proposes no schema: its reply is not a schema \('I like pumps\.'\)"
        ):
            propose(corpus, tmp_path / "proposed.yaml", made, "m")
        made.close()
    assert len(server.received) == 3
    assert not (tmp_path / "proposed.yaml").exists()


# -- what may be replaced -----------------------------------------------------------------------------


def test_a_graph_that_was_not_extracted_is_not_replaced(corpus, schema, small_world):
    import shutil

    shutil.copytree(small_world / "graph", schema.parent / "mine")
    with ModelServer(pump_documents.read) as server:
        with pytest.raises(RollcallError, match="did not make; name another folder"):
            extract(corpus, schema, server)
        assert not server.received, "this is said before anything is paid for"
        assert facts_of(extract(corpus, schema, server, force=True)) == pump_documents.FACTS


def test_what_belongs_together_is_asked_for_together(corpus, schema, tmp_path):
    with ModelServer() as server:
        made = client(server, tmp_path)
        with pytest.raises(RollcallError, match="belong together"):
            rollcall.extract(corpus, tmp_path / "mine", client=made)
        with pytest.raises(RollcallError, match="a model reads by a schema"):
            rollcall.extract(corpus, tmp_path / "mine", client=made, model="m")
        made.close()

"""A language model as semantic parser: the reader `ask-llm` against a server in this process."""

import pytest

from asking_graph import asking_graph
from model_server import ModelServer, client_of
from rollcall import run
from rollcall.query import Query
from rollcall.questions import Answer, EntityAnswer, QueryRecord, Question
from rollcall.systems import Asked, Context, ReadingError, open_reader
from rollcall.systems.read.model_parser import ModelParser, queries_in

pytest.importorskip("openai", reason="the extra `llm` is not installed")

from rollcall.llm import Budget, BudgetSpentError, ReplyCache

ASKED = Asked("q1", "Which films did Orla Venn direct but not produce?")
RIGHT = "?x a film; ?x director [Orla Venn]; not ?x producer [Orla Venn]"


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    with asking_graph(tmp_path_factory.mktemp("asking") / "graph") as opened:
        yield opened


def labels(answers):
    return [one.label if isinstance(one, EntityAnswer) else one for one in answers]


def replying(*replies):
    """A server that gives these replies in turn, the last one again and again."""
    given = list(replies)
    return ModelServer(lambda body: {"text": given.pop(0) if len(given) > 1 else given[0]})


def test_the_query_of_a_model_is_answered_by_the_graph(graph):
    with replying(RIGHT) as server:
        reader = ModelParser(graph, client_of(server), "tiny")
        assert labels(reader.read(ASKED, [])) == ["Glass Orchard", "The Long Tide"]
        [body] = server.received
        prompt = body["messages"][-1]["content"]
        assert prompt.endswith(f"Question: {ASKED.question}")
        assert "Orla Venn (human)" in prompt
        assert "P57: director" in prompt
        assert "P162: producer" in prompt
        assert "Q11424: film" in prompt
        assert "P1082" not in prompt  # what neither the question nor its names have to do with
        query = Query.parse(reader.query_of("q1"))
        assert set(query.relations) == {"P57", "P162"}
        assert len(graph.answers(query)) == 2


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("SELECT ?film WHERE { ?film directed ?orla", "cannot be used"),
        ("?x directress [Orla Venn]", "directress"),
        ("?x director [Orla Fenn-Quist]", "Orla Fenn-Quist"),
        ("?x a city; ?x director [Orla Venn]", "no answers"),
    ],
)
def test_what_cannot_be_used_is_sent_back_with_the_reason(graph, wrong, complaint):
    with replying(wrong, RIGHT) as server:
        reader = ModelParser(graph, client_of(server), "tiny")
        assert labels(reader.read(ASKED, [])) == ["Glass Orchard", "The Long Tide"]
        first, second = (body["messages"] for body in server.received)
        assert second[: len(first)] == first
        assert second[-2] == {"role": "assistant", "content": wrong}
        assert complaint in second[-1]["content"]
        assert "\n" not in second[-1]["content"]


def test_a_query_without_answers_is_kept_if_the_model_insists(graph):
    empty = "?x a city; ?x director [Orla Venn]"
    with replying(empty) as server:
        reader = ModelParser(graph, client_of(server), "tiny", corrections=1)
        assert reader.read(ASKED, []) == []
        assert len(server.received) == 2
        assert "P57" in reader.query_of("q1")


def test_endless_nonsense_is_a_failure_in_one_line_and_not_kept(graph, tmp_path):
    with replying("I am a film lover.\nAsk me anything!") as server:
        client = client_of(server, cache=ReplyCache(tmp_path / "replies"))
        reader = ModelParser(graph, client, "tiny", corrections=3)
        with pytest.raises(ReadingError, match="wrote no usable query: 'I am a film lover") as told:
            reader.read(ASKED, [])
        assert "\n" not in str(told.value)
        assert len(server.received) == 4
        assert reader.query_of("q1") is None
        with pytest.raises(ReadingError):
            reader.read(ASKED, [])
        assert len(server.received) == 5  # the last reply is asked for again, the others come from the cache


def test_a_refusal_is_a_failure(graph):
    with ModelServer(script=["refuse"]) as server, pytest.raises(ReadingError, match="refused"):
        ModelParser(graph, client_of(server), "tiny").read(ASKED, [])


def test_the_budget_is_kept(graph):
    with replying("nonsense") as server:
        client = client_of(server, budget=Budget(tokens=4_000))
        reader = ModelParser(graph, client, "tiny", corrections=99)
        with pytest.raises(BudgetSpentError, match="4,000 tokens"):
            reader.read(ASKED, [])
        assert 1 <= len(server.received) < 99


def test_examples_are_training_questions_with_their_queries(graph):
    def question(number, split):
        text = "{?x P57 " + graph.resolve_entity("Tomas Reik") + "}"
        return Question(
            f"q{number}", "Which films did Tomas Reik direct?", query=QueryRecord(text), split=split,
            answers=[Answer("Homecoming")],
        )  # fmt: skip

    with replying(RIGHT) as server, Context(
        [question(1, "train"), question(2, "train"), question(3, "dev")],
        graph=graph, client=client_of(server), model="tiny",
    ) as context:  # fmt: skip
        reader = open_reader("ask-llm", context)
        reader.read(ASKED, [])
        roles = [turn["role"] for turn in server.received[0]["messages"]]
        assert roles == ["system", "user", "assistant", "user"]  # q1 is never its own example
        assert server.received[0]["messages"][2]["content"].startswith("{?x P57 ")


def test_a_run_has_the_query_of_every_answer(graph, tmp_path):
    questions = [
        Question("a", "Who directed Homecoming?", split="test", answers=[Answer("Tomas Reik")]),
        Question("b", "Where is the moon?", split="test", answers=[Answer("Ostrell")]),
    ]

    def answer(body):
        asked = body["messages"][1]["content"]
        return {"text": "Homecoming director ?x" if "Homecoming" in asked else "the sky"}

    with ModelServer(answer) as server:
        made = run(
            questions, reader="ask-llm", graph=graph, client=client_of(server), model="tiny",
            out=tmp_path / "run.jsonl",
        )  # fmt: skip
    found = {one.id: one for one in made.predictions}
    assert labels(found["a"].answers) == ["Tomas Reik"]
    assert found["a"].query.endswith(" P57 ?x}")
    assert found["b"].failure.startswith("the model wrote no usable query")
    assert found["b"].query is None


@pytest.mark.parametrize(
    "reply",
    [
        "?x P57 Q1",
        "```\n?x P57 Q1\n```",
        "`?x P57 Q1`",
        "Query: ?x P57 Q1",
        "You ask for films?\n\n?x P57 Q1\n",
    ],
)
def test_a_query_is_found_in_what_models_write_around_it(reply):
    assert next(iter(queries_in(reply))) == "?x P57 Q1"

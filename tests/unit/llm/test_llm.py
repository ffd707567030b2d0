"""The language-model client against a real server that misbehaves, and the reading of what models write."""

import json
import math
import threading
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing.target import in_one_line
from model_server import ModelServer
from rollcall import RollcallError
from rollcall.llm import (
    Budget,
    BudgetSpentError,
    Client,
    Clock,
    ModelError,
    Prices,
    Reply,
    ReplyCache,
    Request,
    Retries,
    parse_list,
    yes_probability,
)
from rollcall.llm.prompts import calibrated
from rollcall.llm.server import LIST_SCHEMA, Gate, TokenChance, ask, told_to_wait

pytest.importorskip("openai", reason="the extra `llm` is not installed")


class FakeTime:
    """A clock that goes on only when somebody sleeps."""

    def __init__(self):
        self.time, self.slept, self.lock = 1000.0, [], threading.Lock()

    def sleep(self, seconds):
        with self.lock:
            self.slept.append(seconds)
            self.time += seconds

    @property
    def clock(self):
        return Clock(now=lambda: self.time, today=lambda: self.time, sleep=self.sleep)


def client_of(server, time=None, **options):
    time = time or FakeTime()
    retries = options.pop("retries", Retries(attempts=4, first=1.0, chance=lambda: 1.0))
    return Client(
        server.url, clock=time.clock, retries=retries, timeout=options.pop("timeout", 20), **options
    )


def asked(text="Who?", **given):
    return ask("tiny", text, **given)


@pytest.mark.parametrize(
    "trouble", ["drop", "half", "malformed", "empty", (500, {}, "oops"), (529, {}, "busy")]
)
def test_passing_trouble_is_tried_again_with_growing_waits(trouble):
    time = FakeTime()
    with ModelServer(script=[trouble, trouble]) as server:
        assert client_of(server, time).complete(asked()).text == '["Ann"]'
        assert len(server.received) == 3
    assert time.slept == [1.0, 2.0]


def test_what_does_not_pass_fails_the_request_alone_after_the_last_attempt():
    with ModelServer(script=[(500, {}, "on fire")] * 4) as server:
        client = client_of(server)
        with pytest.raises(ModelError, match=r"500.*on fire.*4 attempts"):
            client.complete(asked())
        assert client.complete(asked("Another?")).text == '["Ann"]'


def test_a_timeout_is_tried_again():
    with ModelServer(script=["hang"]) as server:
        assert client_of(server, timeout=0.3).complete(asked()).text == '["Ann"]'


def test_retry_after_is_honoured_by_everybody():
    time = FakeTime()
    with ModelServer(script=[(429, {"Retry-After": "37"}, "slow down")]) as server:
        client = client_of(server, time, concurrency=1)
        client.complete(asked())
        assert max(time.slept) == 37.0
    gate = Gate(time.clock)
    gate.shut(5.0)
    before = time.time
    gate.wait()
    assert time.time == before + 5.0


def test_a_server_that_wants_hours_is_not_waited_for():
    with ModelServer(script=[(429, {"Retry-After": "7200"}, "quota")]) as server:
        with pytest.raises(ModelError, match="7200"):
            client_of(server).complete(asked())
        assert len(server.received) == 1


def test_waiting_as_told_uses_up_no_attempt():
    busy = (429, {"Retry-After": "60"}, "slow down")
    with ModelServer(script=[busy] * 8) as server:
        assert client_of(server).complete(asked()).text == '["Ann"]'
    with ModelServer(script=[busy] * 12) as server:
        with pytest.raises(ModelError, match="660 s"):
            client_of(server).complete(asked())
        assert len(server.received) == 11


def test_where_no_server_is_everything_stops():
    with ModelServer() as server:
        client = client_of(server, concurrency=1)
    with pytest.raises(RollcallError, match=r"no connection.*4 attempts.*does a server run there") as error:
        list(client.complete_all((n, asked(f"{n}?")) for n in range(40)))
    assert not isinstance(error.value, ModelError)


def test_retry_after_in_all_its_forms():
    today = 1_700_000_000.0
    assert told_to_wait({"retry-after": "2.5"}, today) == 2.5
    assert told_to_wait({"retry-after-ms": "1500", "retry-after": "9"}, today) == 1.5
    assert told_to_wait({"retry-after": formatdate(today + 90, usegmt=True)}, today) == 90.0
    assert told_to_wait({"retry-after": "soon"}, today) is None
    assert told_to_wait({}, today) is None


def test_requests_are_spaced_where_a_rate_is_given():
    time = FakeTime()
    with ModelServer() as server:
        client = client_of(server, time, concurrency=1, per_minute=30)
        for number in range(3):
            client.complete(asked(f"{number}?"))
    assert time.slept == [2.0, 2.0]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_model_stops_everything_at_once(status):
    with ModelServer(script=[(status, {}, "no such thing")] * 50) as server:
        client = client_of(server, concurrency=2)
        with pytest.raises(RollcallError, match=str(status)):
            list(client.complete_all((n, asked(f"{n}?")) for n in range(40)))
        assert len(server.received) <= 4


def test_a_bad_request_fails_without_another_try():
    with ModelServer(script=[(400, {}, "maximum context length exceeded")]) as server:
        with pytest.raises(ModelError, match="context length"):
            client_of(server).complete(asked())
        assert len(server.received) == 1


@pytest.mark.parametrize(
    ("script", "forms"),
    [
        ([(500, {}, "response_format: should be 'json_object'")], ["json_schema"] + ["json_object"] * 3),
        ([(400, {}, "response_format is unknown")] * 2, ["json_schema", "json_object", None, None, None]),
    ],
)
def test_a_schema_is_sent_in_the_form_the_server_knows_from_then_on(script, forms):
    with ModelServer(script=script) as server:
        client = client_of(server)
        for number in range(3):
            client.complete(asked(f"{number}?", schema=LIST_SCHEMA))
        assert [body.get("response_format", {}).get("type") for body in server.received] == forms


def test_what_was_paid_for_is_never_asked_again(tmp_path):
    with ModelServer() as server:
        for _ in range(2):
            client = client_of(server, cache=ReplyCache(tmp_path / "cache.db"))
            replies = [client.complete(asked()), client.complete(asked()), client.complete(asked("Else?"))]
            assert {reply.text for reply in replies} == {'["Ann"]'}
            client.close()
        assert len(server.received) == 2
        assert client.spending.tokens == 0
        assert client.spending.cached == 3


def test_equal_requests_at_one_time_are_asked_once(tmp_path):
    with ModelServer() as server:
        client = client_of(server, cache=ReplyCache(tmp_path / "cache.db"), concurrency=8)
        replies = list(client.complete_all((n, asked("The same?")) for n in range(30)))
        assert len(replies) == 30
        assert len(server.received) == 1
        client.close()


def test_a_failure_is_not_cached(tmp_path):
    with ModelServer(script=[(400, {}, "bad")]) as server:
        client = client_of(server, cache=ReplyCache(tmp_path / "cache.db"))
        with pytest.raises(ModelError):
            client.complete(asked())
        assert client.complete(asked()).text == '["Ann"]'
        client.close()


def test_a_file_that_is_no_cache_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be taken for one" * 20)
    with pytest.raises(RollcallError, match="not a cache"):
        ReplyCache(tmp_path / "notes.txt")


def test_a_damaged_cache_gives_stored_replies_or_is_refused_in_one_line(tmp_path):
    cache = ReplyCache(tmp_path / "whole.sqlite")
    cache.put("key", Request("m", ()), Reply("hello"))
    cache.close()
    content = (tmp_path / "whole.sqlite").read_bytes()
    used = [place for place, byte in enumerate(content) if byte]
    for number, place in enumerate(used):
        damaged = bytearray(content)
        damaged[place] ^= (0x01, 0x80, 0xFF)[number % 3]
        path = tmp_path / f"{place}.sqlite"
        path.write_bytes(damaged)
        try:
            cache = ReplyCache(path)
            reply = cache.get("key")
            cache.close()
        except RollcallError as error:
            in_one_line(error)
        else:
            assert reply is None or reply.text == "hello"


def test_never_more_requests_at_a_time_than_allowed():
    both = threading.Barrier(3, timeout=20)

    def answer(body):
        both.wait()
        return ["Ann"]

    with ModelServer(answer) as server:
        client = client_of(server, concurrency=3)
        assert len(list(client.complete_all((n, asked(f"{n}?")) for n in range(12)))) == 12
        assert server.most_at_once == 3


def test_a_budget_stops_cleanly_and_is_never_overspent(tmp_path):
    with ModelServer() as server:
        cache = ReplyCache(tmp_path / "cache.db")
        client = client_of(server, concurrency=4, budget=Budget(tokens=1000), cache=cache)
        replies = []
        with pytest.raises(BudgetSpentError, match="1,000 tokens"):
            for one in client.complete_all(
                (n, asked(f"{n}? " + "long " * 60, max_tokens=10)) for n in range(100)
            ):
                replies.append(one)
        assert client.spending.tokens <= 1000
        assert 5 <= len(replies) == len(server.received) == len(cache)
        client.close()


def test_money_is_counted_and_limited():
    with ModelServer() as server:
        client = client_of(server, prices=Prices(10.0, 20.0), budget=Budget(money=0.003))
        client.complete(asked(max_tokens=20))
        assert client.spending.money == pytest.approx((100 * 10 + 10 * 20) / 1e6)
        assert "0.0012 spent" in str(client.spending)
        with pytest.raises(BudgetSpentError):
            client.complete(asked("x" * 3000, max_tokens=20))
    with pytest.raises(RollcallError, match="prices"):
        Client("http://localhost:1", budget=Budget(money=1.0))


def test_the_key_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.delenv("ROLLCALL_API_KEY", raising=False)
    with ModelServer() as server:
        client = client_of(server)
        assert client._server._client.api_key == "secret"


def test_refusals_and_cut_off_replies_are_told():
    with ModelServer(lambda body: ["Ann", "Bo Venn"], script=["refuse", "long"]) as server:
        client = client_of(server)
        assert "cannot help" in client.complete(asked()).refusal
        cut = client.complete(asked())
        assert cut.finish == "length"
        assert parse_list(cut.text) == ["Ann"]


def test_log_probabilities_arrive():
    top = [{"token": "Yes", "logprob": math.log(0.6)}, {"token": "No", "logprob": math.log(0.3)}]
    said = {"text": "Yes", "logprobs": {"content": [{**top[0], "top_logprobs": top}]}}
    with ModelServer(lambda body: said) as server:
        reply = client_of(server).complete(asked(logprobs=5))
        assert server.received[0]["top_logprobs"] == 5
    assert yes_probability(reply) == pytest.approx(2 / 3)


# -- reading what models write ------------------------------------------------------------------------

NAMES = st.lists(st.text(min_size=1).map(str.strip).filter(bool), max_size=6, unique=True)


@given(
    NAMES,
    st.sampled_from(["{}", "Sure! Here:\n```json\n{}\n```\nDone.", "{} I hope [this] helps", "```\n{}```"]),
)
def test_any_list_of_names_survives_its_wrapping(names, wrapping):
    assert parse_list(wrapping.replace("{}", json.dumps(names))) == names


@given(NAMES, st.booleans())
def test_lists_inside_objects_and_lists_that_break_off(names, ascii_only):
    text = json.dumps({"answers": names}, ensure_ascii=ascii_only)
    assert parse_list(text) == names
    listed = json.dumps([*names, "never ended"], ensure_ascii=ascii_only)
    if names:
        assert parse_list(listed[:-5]) == names


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ('["Paris, Texas", "Washington, D.C."]', ["Paris, Texas", "Washington, D.C."]),
        ('["a", "b",]', ["a", "b"]),
        ('[{"answer": "Ann"}, {"answer": "Bo"}]', ["Ann", "Bo"]),
        ("[1960, 1961]", ["1960", "1961"]),
        ("- Ann\n- Bo, the elder\n", ["Ann", "Bo, the elder"]),
        ("The films are:\n1. **Nine Lanterns**\n2) \"Orm\"", ["Nine Lanterns", "Orm"]),
        ('["Ann", "Ann", " "]', ["Ann"]),
        ("[]", []),
        ("None.", []),
        ("I am sorry, I cannot answer that.", None),
        ("", None),
        ("[[[[", None),
    ],
)  # fmt: skip
def test_what_models_write(text, answers):
    assert parse_list(text) == answers


@given(st.text())
def test_no_text_breaks_the_reader(text):
    answers = parse_list(text)
    assert answers is None or all(isinstance(answer, str) and answer.strip() for answer in answers)


def test_yes_from_the_word_where_there_are_no_probabilities():
    assert yes_probability(Reply("Yes, it is.")) == 1.0
    assert yes_probability(Reply(" no")) == 0.0
    assert yes_probability(Reply("Perhaps")) is None
    variants = TokenChance(" Yes", math.log(0.2), ((" Yes", math.log(0.2)), ("NO", math.log(0.2))))
    assert yes_probability(Reply("Yes", chances=(variants,))) == pytest.approx(0.5)


def test_channel_calibration_takes_out_the_liking_for_yes():
    scores = calibrated([0.9, 0.8, 0.95, 0.7])
    assert [score > 0 for score in scores] == [True, False, True, False]
    assert calibrated([]) == []

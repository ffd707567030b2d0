"""Random gold and predictions, hostile ones among them: figures that keep their laws, or a refusal in a line.

`scoring` draws names that are equal, alike once normalised, nothing once normalised, shared, very long or in
other scripts, and holds every profile to its bounds and the entity profile to a definition of its own.
`scoring-arguments` hands the Python entry whatever JSON can hold, in the place of every argument.
"""

import json
import random
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from fuzzing.target import Target, in_one_line
from rollcall import RollcallError
from rollcall.questions import Answer, Candidate, EntityAnswer, Evidence, Passage, Prediction, Question
from rollcall.score import PROFILES, compare, open_profile, score
from rollcall.score.match import name_key

NAMES = [
    "Springfield", "springfield", "SPRINGFIELD", "The Who", "Who", "the", "The", "a", "!!!", "...",
    "", " ", "\n", "\u200b", "São Paulo", "Sao Paulo", "Sa\u0303o Paulo", "C", "C++", "C#", "3.5",
    "35", "1 1", "11", "-5", "5", "1,000", "1000", "Q1", "Q2", "Q3", "q1", "Straße", "STRASSE",
    "Йод", "Иод", "東京", "\ud800", "👩‍👩‍👧", "ﬁ", "fi", "\x00", "A\nB", "Answer: Who", "x" * 3000,
    "a " * 500, "&", "and", "²", "a² plan", "[/red]", "{", '"', "\\", "שָׁלוֹם", "שלום",
]  # fmt: skip
IDS = [None, None, None, "Q1", "Q2", "Q3", "", "q1", "/m/0_x", "/m/0x"]
MEASURES = [
    "P",
    "R",
    "F1",
    "acc",
    "EM",
    "P@1",
    "R@2",
    "F1@3",
    "acc@2",
    "R@1000",
    "R-2",
    "F1-2",
    "R-2@3",
    "R>=0.5",
    "min(F1)",
]


def draw(chance: random.Random) -> Any:
    pool = chance.sample(NAMES, chance.randint(2, 8))
    questions = [_question(chance, pool, number) for number in range(chance.choice([1, 1, 2, 3, 7]))]
    runs = [
        {one["id"]: _said(chance, pool) for one in questions if chance.random() < 0.9}
        for _ in range(chance.choice([1, 1, 1, 2, 3]))
    ]
    profile = chance.choice(PROFILES.names)
    return {"questions": questions, "runs": runs, "order": chance.random(), "profile": profile}


def _question(chance: random.Random, pool: list[str], number: int) -> dict[str, Any]:
    answers = [
        {
            "label": chance.choice(pool),
            "id": chance.choice(IDS),
            "aliases": [chance.choice(pool) for _ in range(chance.choice([0, 0, 1, 2]))],
        }
        for _ in range(chance.choice([0, 1, 1, 2, 3, 4]))
    ]
    return {
        "id": chance.choice([f"q{number}", f"q{number}", "q0"]),
        "cluster": chance.choice([None, None, "c1", "c2", ""]),
        "answers": answers,
        "candidates": chance.random() < 0.3,
        "alternative": chance.random() < 0.2,
        "value": chance.choice([None, 1, 1.0, 0.1 + 0.2, 0.3, 10**400, "1", True, ["r", "r"], -7, 1e300]),
    }


def _said(chance: random.Random, pool: list[str]) -> list[Any]:
    return [
        chance.choice(pool)
        if chance.random() < 0.6
        else {"id": chance.choice(IDS) or "Q9", "label": chance.choice(pool)}
        for _ in range(chance.choice([0, 1, 2, 3, 4, 6]))
    ]


def check(case: Any) -> None:
    questions = [_made(one) for one in case["questions"]]
    runs = [_run(run) for run in case["runs"]]
    for profile in ("entity", case["profile"]):
        _within_bounds(questions, runs[0], profile)
    if len(runs) > 1:
        _compared(questions, runs, case)
    for question in questions:
        said = next((one.answers for one in runs[0] if one.id == question.id), [])
        _keeps_the_definition(question.answers, list(said))
        _keeps_its_laws(question.answers, list(said), case)


def _made(one: dict[str, Any]) -> Question:
    answers = [Answer(each["label"], each["id"], list(each["aliases"])) for each in one["answers"]]
    candidates = [
        Candidate(each.label, each.id, is_answer=bool(place % 2)) for place, each in enumerate(answers)
    ]
    return Question(
        one["id"],
        cluster=one["cluster"],
        characteristics={} if one["value"] is None else {"value": one["value"]},
        answers=answers,
        candidates=candidates if one["candidates"] else [],
        alternatives=[answers[1:]] if one["alternative"] else [],
    )


def _run(run: dict[str, list[Any]]) -> list[Prediction]:
    return [
        Prediction(
            identity,
            [one if isinstance(one, str) else EntityAnswer(**one) for one in said],
            [Passage("p", "", one if isinstance(one, str) else one["label"]) for one in said],
        )
        for identity, said in run.items()
    ]


def _within_bounds(questions: list[Question], run: list[Prediction], profile: str) -> None:
    by = ["value"] if any(one.characteristics for one in questions) else []
    try:
        report = score(questions, run, profile=profile, measures=MEASURES, by=by)
    except RollcallError as error:
        in_one_line(error)
        return
    for figures in [report.figures, *(group.figures for by in report.by.values() for group in by.values())]:
        for figure in figures.values():
            low, high = figure.interval or (figure.value, figure.value)
            assert figure.value is None or 0 <= low <= figure.value <= high <= 1, (profile, figure)
    for groups in report.by.values():
        assert sum(group.n for group in groups.values()) == report.n, groups
    json.dumps(report.as_json(), allow_nan=False)


def _compared(questions: list[Question], runs: list[list[Prediction]], case: Any) -> None:
    try:
        found = compare(questions, runs, measures="P R F1 acc R@2", resamples=50, profile=case["profile"])
    except RollcallError as error:
        in_one_line(error)
        return
    for difference in found.differences:
        for p in (*difference.p_values, difference.corrected_p):
            assert p is None or 0 < p <= 1
    json.dumps(found.as_json(), allow_nan=False)


def _keeps_the_definition(gold: Sequence[Answer], said: list[str | EntityAnswer]) -> None:
    """Precision and recall as the documentation states them, stated once more without a thought for speed."""
    for first in (None, 1, 2, 3):
        found, wrong, entities = defined(gold, said, first)
        wanted = (
            (float(not wrong),) * 2
            if not entities
            else (found / (found + wrong) if found else 0.0, found / entities)
        )
        match = open_profile("entity").judge(Question("q"), gold, said, first)[0]
        assert (match.precision, match.recall) == wanted, (match, wanted, first)


def defined(
    gold: Sequence[Answer], said: Sequence[str | EntityAnswer], first: int | None
) -> tuple[int, int, int]:
    """How many entities are found, how many predictions are wrong, and how many entities there are."""
    identities = [
        answer.id if answer.id is not None else name_key(answer.label) or place
        for place, answer in enumerate(gold)
    ]
    entities = list(dict.fromkeys(identities))
    has_ids = any(answer.id is not None for answer in gold)
    for length in range(len(said), -1, -1):
        meant: dict[object, set[int]] = {}
        for one in said[:length]:
            key, fits = _meant(one, gold, identities, entities, has_ids)
            if key:
                meant[key] = fits
        right = [fits for fits in meant.values() if fits]
        found, wrong = _most_assigned(right, frozenset()), sum(not fits for fits in meant.values())
        if first is None or found + wrong <= first:
            return found, wrong, len(entities)
    raise AssertionError("no prediction at all counts as none")


def _meant(
    one: str | EntityAnswer,
    gold: Sequence[Answer],
    identities: list[object],
    entities: list[object],
    has_ids: bool,
) -> tuple[object, set[int]]:
    """What a prediction is told from others by, and the entities it may mean."""
    text = one if isinstance(one, str) else one.label or one.id
    by_name = {
        entities.index(identity)
        for identity, answer in zip(identities, gold, strict=True)
        if name_key(text) and name_key(text) in {name_key(name) for name in (answer.label, *answer.aliases)}
    }
    if has_ids and isinstance(one, EntityAnswer):
        return ("id", one.id), {entities.index(one.id)} if one.id in entities else set()
    if text and any(answer.id == text for answer in gold):
        return ("string", text), by_name | {entities.index(text)}
    return name_key(text), by_name


def _most_assigned(names: list[set[int]], taken: frozenset[int]) -> int:
    if not names:
        return 0
    best = _most_assigned(names[1:], taken)
    for entity in names[0] - taken:
        best = max(best, 1 + _most_assigned(names[1:], taken | {entity}))
    return best


def _keeps_its_laws(gold: Sequence[Answer], said: list[str | EntityAnswer], case: Any) -> None:
    entity = open_profile("entity")
    before = entity.match(Question("q"), gold, said)
    order = random.Random(case["order"])
    mixed, other_gold = [*said, *said[:2]], list(gold)
    order.shuffle(mixed)
    order.shuffle(other_gold)
    assert entity.match(Question("q"), other_gold, mixed) == before
    assert entity.rate(entity.resolve(Question("q"), gold, said)) == before
    assert entity.judge(Question("q"), gold, said, 1000)[0] == before
    recalls = [entity.judge(Question("q"), gold, said, first)[0].recall for first in range(1, 8)]
    assert not gold or recalls == sorted(recalls)
    with_wrong = entity.match(Question("q"), gold, [*said, "a name that no gold answer has " + "z" * 5])
    assert with_wrong.precision <= before.precision
    assert not gold or with_wrong.recall == before.recall
    if all(answer.id is not None or name_key(answer.label) for answer in gold):
        perfect = [EntityAnswer(one.id, one.label) if one.id is not None else one.label for one in gold]
        best = entity.match(Question("q"), gold, perfect)
        assert (best.precision, best.recall, best.f1, best.exact) == (1, 1, 1, True)


JUNK = [
    None, True, False, 0, -1, 1.5, 10**30, "", "q0", "entity", "P", "count", "all", "1e400", [], {},
    [None], ["P"], [["A"]], {"q0": None}, {"q0": {"answers": ["A"]}}, {"q0": {"x": 1}},
    {"q0": [{"id": 5}]}, {"q0": [[1]]}, {"q0": 3}, {"q0": {"answers": {"id": "Q1"}}},
    [{"id": "q0", "answers": ["A"]}], [{"id": "q0", "answers": 5}], [{"answers": []}],
    {"q0": ["A"]}, {"": "A"}, [{"id": None}], ["q0", "A"], "F1>=" + "9" * 5000, "P@" + "9" * 5000,
    "min(" * 2000, "R>=0.000001", "R-2@3", "min(F1-2>=0.5)", "F1-", "P-3", "time@2", "time>=1", "f1", ":",
    "::", "os:path", "os.:path", "no.such:Thing@5", "x" * 3000, "R-" + "9" * 5000, "min(min(R))", "P@1@2",
    "é:é", ["R-2@3", "acc"], ["json:loads"], ["P", 5], "ARecall@1 ERecall@1", "rollcall.score:Recall",
    "rollcall.score.measures.answers:Recall@2", "rollcall.score.profiles.published:RomqaProfile",
    {"q0": {"answers": ["A"], "retrieved": [{"id": 1, "text": None}], "seconds": "x"}},
    {"q0": {"seconds": -1, "answers": "A"}},
]  # fmt: skip
ARGUMENTS = [
    "gold", "predictions", "profile", "measures", "by", "setting", "missing", "drop_empty",
    "confidence", "resamples", "seed", "runs", "names", "test", "correction", "level",
]  # fmt: skip
PARTS = [
    "id", "cluster", "kind", "split", "answers", "aliases", "label", "answer id", "evidence",
    "alternatives", "candidates", "characteristics", "said", "said id", "retrieved", "failure",
    "seconds", "question",
]  # fmt: skip


def draw_arguments(chance: random.Random) -> Any:
    places = chance.sample([*ARGUMENTS, *PARTS], chance.choice([1, 1, 2]))
    return {
        "given": {place: chance.choice(JUNK) for place in places},
        "as": chance.choice(["list", "list", "tuple", "set", "generator"]),
        "compare": chance.random() < 0.4,
    }


def check_arguments(case: Any) -> None:
    given = {place: value for place, value in case["given"].items() if place in ARGUMENTS}
    shape: dict[str, Callable[[Any], Any]] = {
        "list": list, "tuple": tuple, "set": _set, "generator": lambda values: (one for one in values),
    }  # fmt: skip
    form = shape[case["as"]]
    gold, said = _with_parts(case["given"])
    try:
        gold, said = form(gold) if case["as"] != "set" else gold, form(said)
        if case["compare"]:
            runs = given.pop(
                "runs", [said if case["as"] != "generator" else {"q0": form(["A"])}, {"q0": form(["A", "B"])}]
            )
            given.pop("predictions", None)
            found = compare(given.pop("gold", gold), runs, **{"resamples": 20, **given})
            json.dumps(found.as_json(), allow_nan=False)
            assert repr(found)
            assert found._repr_html_()
        else:
            for name in ("runs", "names", "test", "correction", "level", "resamples", "seed"):
                given.pop(name, None)
            report = score(given.pop("gold", gold), given.pop("predictions", said), **given)
            json.dumps(report.as_json(), allow_nan=False)
            assert repr(report)
            assert report._repr_html_()
    except RollcallError as error:
        in_one_line(error)
    except OSError as error:
        if error.filename is None:  # a string is the name of a file, and the command line names it
            raise


def _set(values: Any) -> Any:
    try:
        return set(values)
    except TypeError:
        return list(values)


def _with_parts(given: dict[str, Any]) -> tuple[list[Question], list[Prediction]]:
    """Questions and predictions with junk in the place of some of their parts."""
    answer: Any = Answer(
        given.get("label", "A"),
        given.get("answer id"),
        given.get("aliases", []),
        given.get("evidence", [Evidence("A.")]),
    )
    question: Any = Question(
        given.get("id", "q0"),
        given.get("question", ""),
        kind=given.get("kind"),
        cluster=given.get("cluster"),
        split=given.get("split"),
        answers=given.get("answers", [answer]),
        alternatives=given.get("alternatives", []),
        candidates=given.get("candidates", []),
        characteristics=given.get("characteristics", {}),
    )
    prediction: Any = Prediction(
        given.get("said id", "q0"),
        given.get("said", ["A"]),
        given.get("retrieved", [Passage("p")]),
        given.get("failure"),
        given.get("seconds"),
    )
    return [question, *(Question(f"q{place}") for place in islice(range(1, 9), 6))], [prediction]


TARGETS = [
    Target("scoring", draw, check, share=60),
    Target("scoring-arguments", draw_arguments, check_arguments, share=400),
]

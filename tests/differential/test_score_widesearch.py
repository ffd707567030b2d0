"""WideSearch: our figures are those that pandas gives by its scorer's steps, stated here once more."""

import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from model_server import ModelServer
from rollcall.llm import Client
from rollcall.questions import Question, read_questions
from rollcall.score import Judge, open_profile, score
from rollcall.score.wide import PREPARATIONS, UnreadableTableError, response_table

REQUIRED = ["name", "year", "site", "share", "notes"]
PIPELINE: dict[str, dict[str, Any]] = {
    "name": {"preprocess": ["norm_str"], "metric": ["exact_match"]},
    "year": {"preprocess": ["extract_number"], "metric": ["number_near"], "criterion": 0.001},
    "site": {"preprocess": ["norm_str"], "metric": ["url_match"]},
    "share": {"preprocess": ["norm_str"], "metric": ["in_match"]},
    "notes": {"preprocess": ["norm_str"], "metric": ["llm_judge"], "criterion": "the same"},
}
CELLS = {
    "name": ["Acme", "acme", "Globex", "Initech ", "Hooli", "007", "7", "", "N/A", "1,5"],
    "year": ["1990", "1991", "1990.0", "", "about 1,990", "x", "-5", "50%", "0.5"],
    "site": [
        "https://a.example/x",
        "https://a.example/",
        "http://b.example",
        "none",
        "",
        "HTTPS://A.EXAMPLE",
    ],
    "share": ["1", "1.0", "true", "True", "", "12", "null"],
    "notes": ["rockets", "Rockets", "energy **", "", "3"],
}


def number(text: str) -> float | None:
    try:
        return float(text.replace("%", "")) / 100 if "%" in text else float(text)
    except ValueError:
        return None


def cell(metric: str, said: str, gold: str, criterion: Any) -> float:
    if metric == "url_match":
        hosts = [set(re.findall(r"https?://([^/\s]+)", one)) for one in (said, gold)]
        return float(hosts[0] == hosts[1])
    if metric == "in_match":
        return float(said in gold)
    if metric == "number_near":
        first, second = number(said), number(gold)
        if first is None or second is None:
            return float(first is None and second is None and said == gold)
        return float(abs(first - second) <= abs(second) * criterion)
    return float(said.lower() == gold.lower())  # llm_judge too, in the deterministic part


def strings(frame: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Every cell as pandas writes it, with whole numbers as fractions where the other column has some."""
    made = {}
    for name in REQUIRED:
        mixed = {str(one[name].dtype) for one in (frame, other)} == {"int64", "float64"}
        values = (frame[name].astype(float) if mixed else frame[name]).tolist()
        made[name] = [str(value) for value in values]
    return pd.DataFrame(made, dtype=object)


def reference(gold_csv: str, table: str) -> dict[str, float]:
    """The figures of one response, by the published steps."""
    gold = pd.read_csv(io.StringIO(gold_csv))
    lines = [line for line in table.strip().split("\n") if not set(line) <= set("|- :")]
    lines[0] = lines[0].replace(" ", "").lower()
    cut = ["|".join(part.strip() for part in line.strip().split("|")) for line in lines]
    said = pd.read_csv(io.StringIO("\n".join(cut)), sep="|")
    said = said.loc[:, ~said.columns.str.startswith("Unnamed")]
    first, second = strings(gold, said), strings(said, gold)
    first, second = (frame.drop_duplicates(subset=["name"]) for frame in (first, second))
    for name, rule in PIPELINE.items():
        for step in rule["preprocess"]:
            first = first.assign(**{name: first[name].map(PREPARATIONS[step])})
            second = second.assign(**{name: second[name].map(PREPARATIONS[step])})
    both = first.merge(second, on=["name"], suffixes=("_gold", "_said"))
    rows, cells = 0.0, 0.0
    for _, row in both.iterrows():
        scores = [1.0]
        for name in REQUIRED[1:]:
            rule = PIPELINE[name]
            scores.append(
                cell(rule["metric"][0], row[f"{name}_said"], row[f"{name}_gold"], rule.get("criterion"))
            )
        rows += min(scores)
        cells += sum(scores)
    width = len(REQUIRED)
    figures = {
        "P": rows / len(second), "R": rows / len(first),
        "ItemP": cells / (len(second) * width), "ItemR": cells / (len(first) * width),
    }  # fmt: skip
    figures = {name: min(1.0, value) for name, value in figures.items()}
    for kind in ("", "Item"):
        p, r = figures[f"{kind}P"], figures[f"{kind}R"]
        figures[f"{kind}F1"] = 2 * p * r / (p + r) if p + r else 0.0
    figures["acc"] = float(min(figures.values()) == 1)
    return figures


def task(folder: Path, gold_csv: str, pipeline: dict[str, Any] = PIPELINE) -> Path:
    (folder / "widesearch_gold").mkdir(exist_ok=True)
    (folder / "widesearch_gold" / "ws_en_001.csv").write_text(gold_csv)
    rules = {"required": REQUIRED, "unique_columns": ["name"], "eval_pipeline": pipeline}
    path = folder / "widesearch.jsonl"
    record = {
        "instance_id": "ws_en_001",
        "query": "Which?",
        "evaluation": json.dumps(rules),
        "language": "en",
    }
    path.write_text(json.dumps(record) + "\n")
    return path


def responses(folder: Path, tables: list[str]) -> Path:
    path = folder / "responses.jsonl"
    lines = [
        json.dumps({"instance_id": "ws_en_001", "response": text, "messages": None, "trial_idx": place})
        for place, text in enumerate(tables)
    ]
    path.write_text("\n".join(lines))
    return path


def markdown(rows: list[list[str]]) -> str:
    head = ["| Name | Year | Site | SHARE | Notes |", "|---|:--|---|---|---|"]
    return "\n".join([*head, *("| " + " | ".join(row) + " |" for row in rows)])


def drawn(chance: random.Random) -> list[list[str]]:
    return [
        [chance.choice(CELLS[name]).replace(",", ";") if name == "name" else chance.choice(CELLS[name])
         for name in REQUIRED]
        for _ in range(chance.randint(1, 5))
    ]  # fmt: skip


def test_figures_of_random_tables(tmp_path: Path) -> None:
    chance = random.Random(18)
    seen = set()
    for _ in range(50):
        gold_rows = drawn(chance)
        said_rows = [
            row if chance.random() < 0.6 else chance.choice(drawn(chance)) for row in gold_rows
        ] + drawn(chance) * (chance.random() < 0.3)
        out = io.StringIO()
        pd.DataFrame(gold_rows, columns=["Name ", "Year", "site", "Share", "NOTES"]).to_csv(out, index=False)
        table = markdown(said_rows)
        wanted = reference(_lowered_head(out.getvalue()), table)
        report = score(
            task(tmp_path, out.getvalue()),
            responses(tmp_path, [f"Here it is:\n{table}"]),
            profile="widesearch-match",
            confidence=None,
        )
        found = {name: report[name].value for name in wanted}
        assert found == pytest.approx(wanted, abs=1e-9), (gold_rows, said_rows)
        seen.add(round(wanted["ItemF1"], 1))
    assert len(seen) > 5, "tables right, wrong and in between"


def _lowered_head(text: str) -> str:
    head, _, rest = text.partition("\n")
    return f"{head.lower().replace(' ', '')}\n{rest}"


GOLD = (
    "Name,Year,Site,Share,Notes\n"
    "Acme,1990,https://a.example/,1,rockets\n"
    "Globex,2001,https://b.example/,2,energy\n"
)
RIGHT = markdown([["Acme", "1990", "https://a.example/x", "1", "rockets"],
                  ["Globex", "2001", "https://b.example/", "2", "energy"]])  # fmt: skip
HALF = RIGHT.replace("2001", "1901")


def test_trials_are_avg_pass_and_max(tmp_path: Path) -> None:
    """By hand: one table is right; the other has one wrong cell of ten, so one right row of two."""
    measures = "acc max(acc) F1 max(F1) ItemF1 max(ItemF1) min(ItemF1)"
    said = responses(tmp_path, [HALF, RIGHT, "no table", HALF])
    report = score(task(tmp_path, GOLD), said, profile="widesearch-match", measures=measures, confidence=None)
    values = {str(name): figure.value for name, figure in report.figures.items()}
    assert values == pytest.approx({
        "acc": 1 / 4, "max(acc)": 1, "F1": (0.5 + 1 + 0 + 0.5) / 4, "max(F1)": 1,
        "ItemF1": (0.9 + 1 + 0 + 0.9) / 4, "max(ItemF1)": 1, "min(ItemF1)": 0,
    })  # fmt: skip
    assert report.n == 4
    assert any("scores 0, as published: it holds no table" in line for line in report.warnings)


def test_a_model_aligns_and_judges(tmp_path: Path) -> None:
    """By hand: the model renames a column and a key, and grades the notes 1 and 0."""
    table = (
        RIGHT.replace("SHARE", "Part").replace("| Acme |", "| **Acme Inc.** |").replace("rockets", "rocketry")
    )

    def answer(body: dict[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        if "Second list" not in prompt:
            return 'One by one …\n```json\n{"idx_0": 1, "idx_1": 0}\n```'
        found = {"part": "share"} if "'part'" in prompt else {"**Acme Inc.**": "Acme", "Globex": "Globex"}
        return f"```json\n{json.dumps(found)}\n```"

    with ModelServer(answer) as server:
        judges = [Judge(Client(server.url), "m")]
        measures = "acc P R F1 ItemP ItemR"
        said = responses(tmp_path, [table])
        report = score(
            task(tmp_path, GOLD),
            said,
            profile="widesearch",
            judges=judges,
            measures=measures,
            confidence=None,
        )
        assert sum(server.asked.values()) == 3, "columns, keys and notes are asked for once each"
    values = {str(name): figure.value for name, figure in report.figures.items()}
    assert values == pytest.approx(
        {"acc": 0, "P": 1 / 2, "R": 1 / 2, "F1": 1 / 2, "ItemP": 0.9, "ItemR": 0.9}
    )
    (beside,) = report.variants
    assert beside.key == "judges"
    assert [figure.value for figure in beside.rows["widesearch-match"].values()] == [0] * 6


@pytest.mark.parametrize("reply", ["I cannot say.", "```json\n[1]\n```", "```json\n{broken}\n```"])
def test_a_reply_that_cannot_be_read_decides_nothing(tmp_path: Path, reply: str) -> None:
    with ModelServer(lambda body: reply) as server:
        judge = Judge(Client(server.url), "m")
        said = responses(tmp_path, [RIGHT])
        report = score(
            task(tmp_path, GOLD),
            said,
            profile="widesearch",
            judges=[judge],
            measures="F1 ItemF1",
            confidence=None,
        )
    assert report["F1"].value == 0
    assert report["ItemF1"].value == pytest.approx(8 / 10), "notes are 0, all other cells stand"
    assert judge.failures


def test_two_rows_of_one_key_count_once(tmp_path: Path) -> None:
    """A model may map two rows to one key; the published recall is then above 1."""
    table = markdown([["Acme", "1990", "https://a.example/", "1", "rockets"],
                      ["ACME", "1990", "https://a.example/", "1", "rockets"],
                      ["Globex", "2001", "https://b.example/", "2", "energy"]])  # fmt: skip
    report = score(
        task(tmp_path, GOLD), responses(tmp_path, [table]), profile="widesearch-match", confidence=None
    )
    assert report["R"].value == 1
    assert report["P"].value == 1
    assert any("above 1" in line for line in report.warnings)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("no table", None),
        ("```markdown\n| A | b c |\n|--|--|\n| 1 | x |\n```\n| z |", (["a", "bc"], [["1", "x"]])),
        ("Intro | not\n\n| a | b |\n| 1 | 2 |\nEnd", (["not"], [])),
        ("| a | b |\n| 1 | 2 |", (["a", "b"], [["1", "2"]])),
        ("| a | b |\n| 1 |\n| 2 | 3 |", (["a", "b"], [["1", ""], ["2", "3"]])),
        ("| a | b\n| 1 | x |\n| 2 | y |", (["a", "b"], [["x", ""], ["y", ""]])),  # the first row is longer
        ("| a | a |\n| 1 | 2 |", (["a", "a.1"], [["1", "2"]])),
        ('| a | b |\n| "1" | x"y |', (["a", "b"], [["1", 'x"y']])),
    ],
)
def test_the_table_of_a_response(text: str, wanted: Any) -> None:
    assert response_table(text) == (None if wanted is None else wanted)


@pytest.mark.parametrize(
    "text",
    ["| a | b |\n| 1 | 2 |\n| 1 | 2 | 3 |", '| a | b |\n| "1 | 2 |', "```markdown\nnothing\n```"],
)
def test_what_pandas_cannot_read_is_refused(text: str) -> None:
    with pytest.raises(UnreadableTableError):
        response_table(text)


def test_dates_are_read_as_the_published_library_reads_them(tmp_path: Path) -> None:
    pytest.importorskip("dateparser", reason="the extra `dates` is not installed")
    pipeline = PIPELINE | {
        "year": {"metric": ["date_near"]},
        "share": {"preprocess": ["norm_date"], "metric": ["exact_match"]},
    }
    gold = GOLD.replace("1990", "2024-01-15").replace(",1,", ",March 2020,")
    table = (
        RIGHT.replace("1990", "1 February 2024").replace("| 1 |", "| 2020-03-01 |").replace("2001", "2003")
    )
    report = score(task(tmp_path, gold, pipeline), responses(tmp_path, [table]), profile="widesearch-match",
                   measures="P ItemP", confidence=None)  # fmt: skip
    assert report["P"].value == pytest.approx(1 / 2), "17 days are near, two years are not"
    assert report["ItemP"].value == pytest.approx(9 / 10)


def test_a_set_keeps_its_tables(tmp_path: Path) -> None:
    read = read_questions(task(tmp_path, GOLD))
    assert [answer.label for answer in read.questions[0].answers] == ["Acme", "Globex"]
    read.save(tmp_path / "set")
    report = score(
        tmp_path / "set", responses(tmp_path, [RIGHT]), profile="widesearch-match", confidence=None
    )
    assert report["acc"].value == 1
    other = open_profile("widesearch-match").match(Question("q"), [], ["| a | b |"])
    assert other.f1 == 0

"""Harnesses that run a model on the exported questions: their figures are ours, and their logs are runs."""

import json
import math
import textwrap
from pathlib import Path

import pytest

from model_server import ModelServer
from rollcall import RollcallError
from rollcall.questions import QuestionSet, Run, read_run
from rollcall.questions.exporting import export
from rollcall.score import score
from tool_questions import SAME, figures, figures_of_test, replies
from tools import output_of, promptfoo, python_with

pytestmark = pytest.mark.slow
FIGURES = ("P", "R", "F1")


def test_inspect_runs_the_installed_task_and_its_log_is_a_run(asked: QuestionSet, run: Run, tmp_path: Path):
    python = python_with("inspect_ai")
    script = """
        import json
        from inspect_ai import eval
        from inspect_ai.model import ModelOutput, ModelUsage, get_model

        known = json.load(open("replies.json"))

        def reply(input, tools, tool_choice, config):
            said = known[input[-1].text.removeprefix("Question: ")]
            output = ModelOutput.from_content("mockllm/model", json.dumps({"answers": said}))
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            return output

        model = get_model("mockllm/model", custom_outputs=reply)
        for log_format in ("eval", "json"):
            log = eval("rollcall/questions", model=model, task_args={"questions": "set"}, log_dir=log_format,
                       log_format=log_format, display="none")[0]
            assert log.status == "success", log.error
        print(json.dumps({one.name: {name: metric.value for name, metric in one.metrics.items()}
                          for one in log.results.scores}))
    """
    found = json.loads(output_of([python, "-c", textwrap.dedent(script)], tmp_path).splitlines()[-1])
    ours = figures(asked, run)
    simple = QuestionSet([one for one in asked if one.kind == "simple"])
    for name in FIGURES:
        assert found[name]["mean"] == pytest.approx(ours[name], abs=SAME)
        assert found[name]["grouped_simple"] == pytest.approx(figures(simple, run)[name], abs=SAME)
        assert found[name]["stderr"] == pytest.approx(clustered_error(asked, run, name), abs=SAME)
    for log_format in ("eval", "json"):
        (log,) = (tmp_path / log_format).glob(f"*.{log_format}")
        assert figures(asked, log) == ours
        assert {one.tokens for one in read_run(log)} == {2}


def clustered_error(asked: QuestionSet, run: Run, name: str) -> float:
    """The standard error whose unit is the cluster, with the correction for few of them."""
    report = score(asked, run, measures=name)
    values, n = report.columns[0].values, report.n
    mean = math.fsum(values) / n
    sums = [sum(values[place] - mean for place in cluster) for cluster in report.clusters]
    number = len(sums)
    return math.sqrt(math.fsum(one**2 for one in sums) * number / (number - 1)) / n


def test_inspect_reads_the_exported_samples(asked: QuestionSet, tmp_path: Path):
    python = python_with("inspect_ai")
    export(asked, "inspect", tmp_path / "samples")
    script = """
        from inspect_ai.dataset import json_dataset
        for one in json_dataset("samples/test.jsonl"):
            print(one.id, len(one.target), one.metadata["cluster"])
    """
    told = output_of([python, "-c", textwrap.dedent(script)], tmp_path).splitlines()
    assert told == [f"{one.id} {len(one.answers)} {one.cluster}" for one in asked.of_splits("test")]


def test_lm_eval_runs_the_exported_task_and_its_samples_are_a_run(
    asked: QuestionSet, run: Run, tmp_path: Path
):
    python = python_with("lm_eval")
    known = replies(asked, run)
    export(asked, "lm-eval", tmp_path / "towns")
    (tmp_path / "moved").mkdir()
    (tmp_path / "towns").rename(tmp_path / "moved" / "towns")
    with ModelServer(
        lambda body: known[body["messages"][-1]["content"].rpartition("Question: ")[2]]
    ) as server:
        words = [
            *("lm_eval", "run", "--model", "local-chat-completions", "--tasks", "rollcall_towns"),
            *("--model_args", f"model=x,base_url={server.url}/chat/completions"),
            *(
                "--include_path",
                "moved/towns",
                "--apply_chat_template",
                "--log_samples",
                "--output_path",
                "out",
            ),
        ]
        output_of([python, "-m", *words], tmp_path)
        system = server.received[0]["messages"][0]
        assert (system["role"], system["content"][:3]) == ("system", "You")
    (results,) = tmp_path.glob("out/**/results_*.json")
    found = json.loads(results.read_text())["results"]["rollcall_towns"]
    (samples,) = tmp_path.glob("out/**/samples_*.jsonl")
    ours = figures_of_test(asked, run)
    for name in FIGURES:
        assert found[f"{name},none"] == pytest.approx(ours[name], abs=SAME)
    assert figures(asked.of_splits("test"), samples) == ours


def test_promptfoo_scores_the_exported_tests(asked: QuestionSet, run: Run, tmp_path: Path):
    command, python = promptfoo(), python_with("rollcall")
    export(asked, "promptfoo", tmp_path / "tests")
    provider = """
        import json
        from pathlib import Path

        def call_api(prompt, options, context):
            question = json.loads(prompt)[-1]["content"].rpartition("Question: ")[2]
            known = json.loads((Path(__file__).parent.parent / "replies.json").read_text())
            return {"output": json.dumps({"answers": known[question]})}
    """
    (tmp_path / "tests" / "provider.py").write_text(textwrap.dedent(provider))
    words = [command, "eval", "-c", "promptfooconfig.yaml", "-r", "file://provider.py", "--no-cache"]
    output_of(
        [
            "bash",
            "-c",
            f"{' '.join(words)} --no-table -o ../results.json || [ $? = 100 ]",
        ],  # 100: a test failed
        tmp_path / "tests",
        PROMPTFOO_PYTHON=python,
        PROMPTFOO_CONFIG_DIR=str(tmp_path / "config"),
        PROMPTFOO_DISABLE_TELEMETRY="1",
        PROMPTFOO_DISABLE_UPDATE="1",
    )
    results = json.loads((tmp_path / "results.json").read_text())["results"]["results"]
    assert len(results) == len(asked)
    ours = figures(asked, run, "P,R,F1,F1>=0.5")
    for name in FIGURES:
        mean = math.fsum(one["namedScores"][name] for one in results) / len(results)
        assert mean == pytest.approx(ours[name], abs=SAME)
    assert sum(one["success"] for one in results) / len(results) == pytest.approx(ours["F1>=0.5"])


def test_a_log_without_samples_is_refused(tmp_path: Path):
    (tmp_path / "log.json").write_text(
        json.dumps({"version": 2, "status": "error", "eval": {}, "samples": []})
    )
    with pytest.raises(RollcallError, match="the log has no samples"):
        read_run(tmp_path / "log.json")

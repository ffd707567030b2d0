"""Every export is read by the tool it is for, and where the tool computes the same, its figures are ours."""

import json
import math
import textwrap
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import tool_questions
from model_server import ModelServer
from rollcall.cli.main import main
from rollcall.errors import RollcallError
from rollcall.questions import QuestionSet, Run, read_run
from rollcall.questions.exporting import export
from rollcall.score import score
from tools import output_of, promptfoo, python_with

pytestmark = pytest.mark.slow
SAME = 1e-9
FIGURES = ("P", "R", "F1")


@pytest.fixture
def asked(tmp_path: Path) -> QuestionSet:
    made = tool_questions.questions()
    made.save(tmp_path / "set")
    return made


@pytest.fixture
def run(asked: QuestionSet, tmp_path: Path) -> Run:
    made = tool_questions.run(asked)
    made.save(tmp_path / "mine.jsonl")
    (tmp_path / "replies.json").write_text(json.dumps(replies(asked, made)))
    return made


def replies(asked: QuestionSet, run: Run) -> dict[str, list[Any]]:
    """What a model says to each question."""
    said = {one.id: one.answers for one in run}
    return {one.question: said[one.id] for one in asked}


def figures(asked: QuestionSet, run: Run | Path, measures: str = "P,R,F1") -> dict[str, float | None]:
    found = score(asked, run, measures=measures, confidence=None)
    return {str(measure): figure.value for measure, figure in found.figures.items()}


def of_split(asked: QuestionSet, split: str = "test") -> QuestionSet:
    return asked.of_splits(split)


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
    assert told == [f"{one.id} {len(one.answers)} {one.cluster}" for one in of_split(asked)]


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
    ours = figures(of_split(asked), Run([one for one in run if one.id in {q.id for q in of_split(asked)}]))
    for name in FIGURES:
        assert found[f"{name},none"] == pytest.approx(ours[name], abs=SAME)
    assert figures(of_split(asked), samples) == ours


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


def test_ragas_reads_the_samples_and_computes_the_same_recall_of_passages(
    asked: QuestionSet, run: Run, tmp_path: Path
):
    python = python_with("ragas", "ROLLCALL_RAGAS_PYTHON", ".venv-ragas")
    export(asked, "ragas", tmp_path / "ragas", run=run)
    script = """
        import asyncio, json, math
        from ragas import EvaluationDataset
        from ragas.metrics import IDBasedContextRecall
        samples = EvaluationDataset.from_jsonl("ragas/test.jsonl").samples
        metric = IDBasedContextRecall()
        print(json.dumps([asyncio.run(metric.single_turn_ascore(one)) for one in samples]))
        assert all(one.reference and one.response is not None for one in samples)
    """
    values = json.loads(
        output_of([python, "-W", "ignore", "-c", textwrap.dedent(script)], tmp_path).splitlines()[-1]
    )
    ours = figures(
        of_split(asked), Run([one for one in run if one.id in {q.id for q in of_split(asked)}]), "PRecall@99"
    )
    assert math.fsum(values) / len(values) == pytest.approx(ours["PRecall@99"], abs=SAME)


def test_croissant_is_valid_and_gives_the_questions(asked: QuestionSet, tmp_path: Path):
    python = python_with("mlcroissant")
    export(asked, "croissant", tmp_path / "data")
    script = """
        import mlcroissant
        dataset = mlcroissant.Dataset("data/croissant.json")
        assert not dataset.metadata.ctx.issues.errors, dataset.metadata.ctx.issues.report()
        for one in dataset.records("test"):
            labels = [answer["test/answers/label"].decode() for answer in one["test/answers"]]
            print(one["test/id"].decode(), *labels, sep="|")
    """
    told = output_of([python, "-c", textwrap.dedent(script)], tmp_path)
    assert told.splitlines() == [
        "|".join([one.id, *(answer.label for answer in one.answers)]) for one in of_split(asked)
    ]
    assert "standard" not in told


def test_the_hubs_library_loads_every_split_and_checks_the_sizes(asked: QuestionSet, tmp_path: Path):
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    export(asked, "huggingface", tmp_path / "data")
    loaded = datasets.load_dataset(str(tmp_path / "data"), cache_dir=str(tmp_path / "cache"))
    assert {split: len(rows) for split, rows in loaded.items()} == {"train": 4, "dev": 4, "test": 8}
    labels = [answer["label"] for answer in loaded["test"][0]["answers"]]
    assert labels == [answer.label for answer in of_split(asked).questions[0].answers]
    card = tmp_path / "data" / "README.md"
    card.write_text(card.read_text().replace("num_examples: 8", "num_examples: 9"))
    with pytest.raises(Exception, match="SplitInfo"):
        datasets.load_dataset(str(tmp_path / "data"), cache_dir=str(tmp_path / "other"))


def test_the_folder_is_pushed_to_a_hub_with_a_token(asked: QuestionSet, tmp_path: Path):
    python = python_with("huggingface_hub")
    with _Hub() as hub:
        words = ["export", "set", "--format", "huggingface", "-o", "data", "--push", "me/towns"]
        command = [
            python,
            "-c",
            "import sys; from rollcall.cli.main import main; main(sys.argv[1:])",
            *words,
        ]
        told = output_of(
            command,
            tmp_path,
            HF_ENDPOINT=hub.url,
            HF_TOKEN="hf_me",  # noqa: S106
            HF_HUB_OFFLINE="0",
            HF_HUB_DISABLE_XET="1",
        )
        assert f"uploaded to {hub.url}/datasets/me/towns" in told
        assert set(hub.committed) >= {"README.md", "data/test-00000-of-00001.parquet"}
        assert hub.tokens == {"Bearer hf_me"}


class _Hub:
    """As much of the Hugging Face hub as an upload needs, in the test's own process."""

    def __init__(self) -> None:
        self.committed: list[str] = []
        self.tokens: set[str | None] = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                self.reply({"id": "me/towns", "sha": "0" * 40, "siblings": []})

            def do_POST(self) -> None:
                outer.tokens.add(self.headers["Authorization"])
                content = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path.endswith("/api/repos/create"):
                    self.reply(
                        {"url": f"{outer.url}/datasets/me/towns", "id": "me/towns", "name": "me/towns"}
                    )
                elif "/preupload/" in self.path:
                    named = [
                        {**one, "uploadMode": "regular", "shouldIgnore": False}
                        for one in json.loads(content)["files"]
                    ]
                    self.reply({"files": named})
                elif "/commit/" in self.path:
                    lines = [json.loads(line) for line in content.splitlines()]
                    outer.committed += [one["value"]["path"] for one in lines if one["key"] == "file"]
                    self.reply(
                        {
                            "success": True,
                            "commitOid": "1" * 40,
                            "commitUrl": f"{outer.url}/datasets/me/towns/commit/{'1' * 40}",
                        }
                    )
                else:
                    self.reply({})

            def reply(self, value: object) -> None:
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "_Hub":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def test_without_a_token_nothing_is_written(
    asked: QuestionSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    monkeypatch.setattr(hub, "get_token", lambda: None)
    words = [
        "export",
        str(tmp_path / "set"),
        "--format",
        "huggingface",
        "-o",
        str(tmp_path / "data"),
        "--push",
        "me/x",
    ]
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert "there is no token; set HF_TOKEN" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_ir_measures_and_ranx_compute_our_retrieval_measures(asked: QuestionSet, run: Run, tmp_path: Path):
    python = python_with("ranx")
    export(asked, "trec", tmp_path / "trec", run=run)
    for kind in ("", ".subtopics"):
        parts = [
            (tmp_path / "trec" / f"{split}{kind}.qrels").read_text() for split in ("train", "dev", "test")
        ]
        (tmp_path / f"all{kind}.qrels").write_text("".join(parts))
    script = """
        import json
        import ir_measures
        from ir_measures import RR, R, StRecall, nDCG
        from ranx import Qrels, Run, evaluate
        run = list(ir_measures.read_trec_run("trec/mine.run"))
        plain = list(ir_measures.read_trec_qrels("all.qrels"))
        subtopics = list(ir_measures.read_trec_qrels("all.subtopics.qrels"))
        found = ir_measures.calc_aggregate([R@3, nDCG@5, nDCG, RR, RR@2], plain, run)
        found |= ir_measures.calc_aggregate([StRecall@5], subtopics, run)
        theirs = Run.from_file("trec/mine.run", kind="trec")
        for name in ("ranx.json", "ranx.parquet"):
            theirs.save(name)
        ranx = evaluate(Qrels.from_file("all.qrels", kind="trec"), theirs, ["recall@3", "ndcg@5", "mrr"])
        print(json.dumps([{str(key): value for key, value in found.items()},
                          {key: float(value) for key, value in ranx.items()}]))
    """
    told = output_of([python, "-W", "ignore", "-c", textwrap.dedent(script)], tmp_path).splitlines()[-1]
    by_ir_measures, by_ranx = json.loads(told)
    ours = figures(asked, run, "PRecall@3,nDCG@5,nDCG,RR,RR@2,StRecall@5")
    for name, value in ours.items():
        assert by_ir_measures[name.replace("PRecall", "R")] == pytest.approx(value, abs=SAME), name
    for name, theirs in (("PRecall@3", "recall@3"), ("nDCG@5", "ndcg@5"), ("RR", "mrr")):
        assert by_ranx[theirs] == pytest.approx(ours[name], abs=SAME), name
    for file in ("ranx.json", "ranx.parquet", "trec/mine.run"):
        assert figures(asked, tmp_path / file, ",".join(ours)) == ours


def test_beir_loads_the_folder_and_the_hubs_library_its_parts(small_world: Path, tmp_path: Path):
    python = python_with("beir")
    from world_questions import question_set

    asked = question_set(small_world, limit=24)
    export(asked, "beir", tmp_path / "beir", corpus=small_world / "corpus")
    script = """
        import json
        from beir.datasets.data_loader import GenericDataLoader
        from datasets import load_dataset
        corpus, queries, qrels = GenericDataLoader("beir").load(split="test")
        assert all(passage in corpus for found in qrels.values() for passage in found)
        parts = {name: load_dataset("beir", name, split=split) for name, split in
                 (("corpus", "corpus"), ("queries", "queries"), ("default", "test"))}
        assert len(parts["corpus"]) == len(corpus)
        judged = sum(map(len, qrels.values()))
        print(json.dumps([len(corpus), sorted(queries), judged, len(parts["default"])]))
    """
    told = output_of([python, "-W", "ignore", "-c", textwrap.dedent(script)], tmp_path).splitlines()[-1]
    passages, queries, judged, rows = json.loads(told)
    assert queries == sorted(one.id for one in of_split(asked))
    assert judged == rows
    import pyarrow.parquet as pq

    assert passages == pq.read_metadata(small_world / "corpus" / "passages.parquet").num_rows


def test_latex_compiles(asked: QuestionSet, run: Run, tmp_path: Path):
    import shutil

    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    from rollcall.score import compare

    other = tool_questions.run(asked, seed=2)
    found = compare(
        asked, [run, other], names=["my_system & co.", "100% [other]"], measures="P,R>=0.8,min(F1),R-5"
    )
    text = found.to_latex() + "\n\n" + score(asked, run, by="kind", completeness=0.9).to_latex()
    assert r"\textbf{" in text
    assert "Letters after a figure name the runs" in text
    head = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
    page = f"{head}\n{text}\n\\end{{document}}\n"
    (tmp_path / "paper.tex").write_text(page)
    told = output_of(["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"], tmp_path)
    assert "Output written on paper.pdf" in told


def test_a_log_without_samples_is_refused(tmp_path: Path):
    (tmp_path / "log.json").write_text(
        json.dumps({"version": 2, "status": "error", "eval": {}, "samples": []})
    )
    with pytest.raises(RollcallError, match="the log has no samples"):
        read_run(tmp_path / "log.json")

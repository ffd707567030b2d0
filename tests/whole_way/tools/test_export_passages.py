"""Tools that judge retrieved passages read the exported judgments, and compute our measures of them."""

import json
import math
import textwrap
from pathlib import Path

import pytest

from rollcall.questions import QuestionSet, Run
from rollcall.questions.exporting import export
from tool_questions import SAME, figures, figures_of_test
from tools import output_of, python_with

pytestmark = pytest.mark.slow


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
    ours = figures_of_test(asked, run, "PRecall@99")
    assert math.fsum(values) / len(values) == pytest.approx(ours["PRecall@99"], abs=SAME)


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
    assert queries == sorted(one.id for one in asked.of_splits("test"))
    assert judged == rows
    import pyarrow.parquet as pq

    assert passages == pq.read_metadata(small_world / "corpus" / "passages.parquet").num_rows

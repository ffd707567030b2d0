"""What the names on each page stand for when the tests run it, and what they cannot run.

A page is run from top to bottom in a folder of its own. `SETUPS` says which things of the stock (or of
examples/) lie there, by the names that the page uses; a section that has names of its own begins in a new
folder. Nothing else is changed, but for `QUICK`: words that make a build small. What is not run stands in
`NOT_RUN` with its reason; an entry that the documents no longer have fails a test.
"""

from typing import NamedTuple

_WORLD = {"graph": "graph", "corpus": "corpus"}
_LETTERS = {"GRAPH": "graph", "CORPUS": "corpus", "SET": "set"}
_RUNS = {"RUN": "one.jsonl", "RUN…": "two.jsonl"}
_SCORED = {"GOLD": "set", "PRED": "one.jsonl", "GRAPH": "graph", **_RUNS}

SETUPS: dict[str, dict[str, dict[str, str]]] = {
    "README.md": {
        "": {},
        "Score predictions": {
            "gold.jsonl": "rivers.jsonl",
            "predictions.jsonl": "rivers_run.jsonl",
            "other.jsonl": "rivers_run.jsonl",
        },
        "Build a set from your own data": {
            **{name: name for name in ("parts.csv", "suppliers.json", "manuals")},
            **{"wikidata": "graph", "wikipedia": "corpus"},
        },
    },
    "docs/annotating.md": {"": {"my-set": "set", "gold.csv": "gold.csv"}},
    "docs/asking.md": {
        "": {"mine": "mine", "SET": "set", "GRAPH": "graph"},
        "The systems of GraphQuestions": {**_LETTERS, "mine": "graph", "questions": "set"},
    },
    "docs/audit.md": {"": {**_LETTERS, **_WORLD, "questions": "set"}},
    "docs/build.md": {"": {**_LETTERS, **_WORLD}},
    "docs/corpus.md": {
        "": {
            **{"GRAPH": "mine", "pages.xml.bz2": "world/pages.xml.bz2"},
            **{name: name for name in ("manuals", "beir", "handbook.pdf")},
        },
    },
    "docs/drift.md": {
        "": {
            **{"OLD": "set", "NEW": "newer", "SET": "set", "run.jsonl": "one.jsonl"},
            **{"GRAPH": "graph", "NEW-GRAPH": "newer_graph", "NEW-CORPUS": "newer_corpus"},
            **{"questions": "set", "newer": "newer", "g1": "graph", "g2": "newer_graph"},
        },
    },
    "docs/engines.md": {"": {}},
    "docs/evidence.md": {"": {**_WORLD, "triples.jsonl": "triples.jsonl"}},
    "docs/extract.md": {"": {"manuals": "pumps"}},
    "docs/graph.md": {
        "": {
            "wikidata.json.gz": "world/wikidata.json.gz",
            **{
                name: name
                for name in (
                    *("facts.tsv", "entities.jsonl", "facts.tsv.gz", "values.tsv.gz", "entities.jsonl.gz"),
                    *("freebase.nt.gz", "edges.csv"),
                )
            },
        },
        "What is read": {name: f"examples/data/corvane/{name}" for name in ("parts.csv", "suppliers.json")},
    },
    "docs/incomplete.md": {
        "": {
            **_SCORED,
            **{"set": "set", "run.jsonl": "one.jsonl", "a.jsonl": "one.jsonl", "b.jsonl": "two.jsonl"},
            **{"DIR": "audited", "audit": "audited", "kinds.json": "kinds.json"},
        },
        "Estimate completeness": {**_WORLD, **_RUNS, "set": "set"},
    },
    "docs/index.md": {"": {}},
    "docs/mining.md": {"": {**_LETTERS, **_WORLD, "evidence.parquet": "evidence.parquet"}},
    "docs/query.md": {"": {}},
    "docs/questions.md": {
        "": {
            **_LETTERS,
            **{"set": "set", "world/truth.parquet": "world/truth.parquet"},
            **{f"{split}_data.jsonl": f"published/{split}_data.jsonl" for split in ("train", "test")},
            "judgments.jsonl": "audited/judgments.jsonl",
        },
    },
    "docs/scoring.md": {
        "": {
            **_SCORED,
            **{"questions": "set", "run.jsonl": "one.jsonl"},
            **{"run_a.jsonl": "one.jsonl", "run_b.jsonl": "two.jsonl"},
        },
        "Profiles that a language model judges": {
            "DSQA-full.csv": "DSQA-full.csv",
            "run.jsonl": "said.jsonl",
        },
    },
    "docs/studio.md": {"": {"my-set": "set", "my-corpus": "corpus"}},
    "docs/systems.md": {"": {**_LETTERS, "questions": "set", "text": "corpus", "mine": "graph"}},
    "docs/tools.md": {"": {**_LETTERS, "RUN": "one.jsonl"}},
    "docs/wording.md": {"": {**_WORLD, "GRAPH": "graph", "mine.yaml": "mine.yaml"}},
    "docs/world.md": {"": {}},
}

_TASKS = """
    ci check-quality compare documents-alone judge language-model newer-data own-system publish score-answers
    size-and-kinds train wikidata-wikipedia wording
"""
ELSEWHERE = {
    "docs/extending.md": "tests/whole_way/test_extending.py",
    "docs/tutorial.md": "tests/whole_way/test_tutorial.py",
    "docs/coming-from.md": "tests/whole_way/test_tutorial.py",
    **{f"docs/how-to/{name}.md": "tests/whole_way/test_tutorial.py" for name in _TASKS.split()},
    **{
        f"docs/notebooks/{name}.md": "tests/whole_way/test_notebooks.py"
        for name in ("own_rag", "query_and_build", "score_a_run")
    },
}
"""Pages that another test runs, and which."""

QUICK = {
    ("build", "qampari"): (
        *("--set", "relations.simple=[P57, P161]", "--set", "relations.composition=[P57]"),
        *("--set", "answers.least=2", "--set", "tables.use=false", "--jobs", "1"),
        *("--set", "evidence.verifier=none"),
    ),
    ("docs/extract.md", "build", "qampari"): ("--set", "answers.least=2", "--jobs", "1"),
    ("build", "graphquestions"): ("--set", "templates.queries=8", "--jobs", "1"),
    ("build", "romqa"): ("--set", "clusters.clusters=4", "--jobs", "1"),
}
"""What is added to commands that begin with these words, on any page or on the one that is named, so that
they take seconds; a key that the page sets itself is left out.
"""


class Left(NamedTuple):
    """Something that is not run: where it stands, how it begins (to its end, after `$`), and why."""

    page: str
    start: str
    reason: str

    def means(self, page: str, text: str) -> bool:
        """Whether a snippet is meant."""
        whole = self.start.removesuffix("$")
        return page == self.page and (text == whole if whole != self.start else text.startswith(whole))


SERVER = "http://localhost:8000/v1"
"""The address of a language model in the documents; a small server of the tests takes its place."""

NEEDS = {SERVER: "openai", "--reader rollcall ": "rollcall_models"}
"""What a snippet with these words needs besides; where it is not installed, the snippet is passed over."""

_BROWSER = (
    "serves pages until it is ended: tests/whole_way/test_score_page.py and the tests of the studio do it"
)
_NEURAL = "needs a checkpoint and the extra neural: tests/unit/train and tests/unit/systems train small ones"
_TOOL = "reads what another tool wrote: tests/whole_way/tools runs the tools"
_ENGINE = "needs a cluster, or Sail: tests/whole_way/test_engines_agree.py runs both"
_PACKAGED = (
    "needs rollcall-models, which tests of documents do without; a line of docs/evidence.md needs it not"
)
_OTHER = "names a server elsewhere; the line before it runs with one judge"
_STUDIO = (
    "needs what people judged in a browser: tests/unit/studio and the browser tests of the studio make it"
)

NOT_RUN = (
    Left("README.md", "rollcall demo", "tests/whole_way/test_demo.py runs it"),
    Left("docs/annotating.md", "rollcall annotate my-set", _BROWSER),
    Left("docs/annotating.md", "rollcall annotate export", _STUDIO),
    Left("docs/asking.md", "rollcall train ask", _NEURAL),
    Left("docs/asking.md", "rollcall ask mine 'who called the shots", _NEURAL),
    Left("docs/asking.md", "rollcall run SET --split test --graph mine --reader ask --option model", _NEURAL),
    Left("docs/build.md", "rollcall view", _BROWSER),
    Left("docs/engines.md", "rollcall", _ENGINE),
    Left("docs/evidence.md", "rollcall verify triples.jsonl$", _PACKAGED),
    Left("docs/evidence.md", "rollcall verify triples.jsonl --verifier nli", _NEURAL),
    Left(
        "docs/graph.md",
        "rollcall graph s3://",
        "needs the network: tests/unit/graph reads addresses of a server",
    ),
    Left("docs/how-to/wording.md", "rollcall view", _BROWSER),
    Left("docs/index.md", "rollcall demo", "tests/whole_way/test_demo.py runs it"),
    Left("docs/index.md", "rollcall show demo", "tests/whole_way/test_demo.py looks into what the demo made"),
    Left("docs/index.md", "rollcall view", _BROWSER),
    Left(
        "docs/scoring.md",
        "rollcall score DSQA-full.csv run.jsonl --profile deepsearchqa --judge MODEL --judge",
        _OTHER,
    ),
    Left("docs/studio.md", "rollcall annotate serve", _BROWSER),
    Left("docs/systems.md", "rollcall train", _NEURAL),
    Left("docs/systems.md", "rollcall run SET --corpus CORPUS --split test --reader pig", _NEURAL),
    Left("docs/systems.md", "rollcall retrieve questions --corpus text --retriever bm25+dense", _NEURAL),
    Left("docs/systems.md", "model = rollcall.train", _NEURAL),
    Left("docs/tools.md", "rollcall score SET logs/", _TOOL),
    Left("docs/tools.md", "rollcall score SET out/", _TOOL),
    Left("docs/tools.md", "rollcall score SET bm25.run", _TOOL),
    Left(
        "docs/tools.md",
        "rollcall export SET --format huggingface",
        "uploads: tests/unit/questions does it to a server",
    ),
)

"""What pages of the documents speak of, made once: a world, its graph, corpus and set, runs, small files."""

import csv
import gzip
import json
import random
import shutil
from pathlib import Path

import pytest

import pump_documents
from pdf_file import pdf
from rollcall.build import build
from rollcall.cli.main import main
from rollcall.corpus import make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.questions import Prediction, QuestionSet, Run
from rollcall.questions.exporting import export
from rollcall.world import write_world

FILES = {
    "parts.csv": "subject,relation,object\nFalcon Pump,has part,Steel Valve\nFalcon Pump,made by,Nordwerk\n",
    "suppliers.json": '[{"subject": "Steel Valve", "relation": "supplied by", "object": "Marl & Sons"}]',
    "edges.csv": "Device,Verb,Thing\nFalcon Pump,has part,Steel Valve\nFalcon Pump,made by,Nordwerk\n",
    "freebase.nt": "<http://rdf.freebase.com/ns/m.01> <http://rdf.freebase.com/ns/type.object.name> "
    '"Springfield"@en .\n<http://rdf.freebase.com/ns/m.02> '
    "<http://rdf.freebase.com/ns/people.person.place_of_birth> <http://rdf.freebase.com/ns/m.01> .\n",
    "facts.tsv": "subject\trelation\tobject\n"
    "Nine Lanterns\tdirector\tOrla Venn\nNine Lanterns\tproducer\tTam Reck\n"
    "The Glass Orchard\tdirector\tOrla Venn\nThe Glass Orchard\tproducer\tOrla Venn\n"
    "Orla Venn\tplace of birth\tSpringfield\n",
    "values.tsv": "subject\trelation\tvalue\nNine Lanterns\tpublication date\t1981\n",
    "entities.jsonl": '{"id": "Nine Lanterns", "label": "Nine Lanterns", "types": ["film"]}\n'
    '{"id": "The Glass Orchard", "label": "The Glass Orchard", "types": ["film"]}\n'
    '{"id": "Orla Venn", "label": "Orla Venn", "aliases": ["O. Venn"], "types": ["human"]}\n',
    "pages.jsonl": '{"title": "Orla Venn", "text": "Orla Venn directs films. She directed Nine Lanterns."}\n'
    '{"title": "Nine Lanterns", "text": "Nine Lanterns is a film directed by Orla Venn."}\n',
    "tables.jsonl": '{"page": "Orla Venn", "header": ["Film", "Year"], '
    '"rows": [["Nine Lanterns", "1981"]]}\n',
    "manuals/pump.md": "# Falcon Pump\n\nThe Falcon Pump has a Steel Valve. Nordwerk makes it.\n",
    "manuals/valve.txt": "Steel Valve\n\nMarl & Sons supplies the Steel Valve.\n",
    "beir/scifact/corpus.jsonl": '{"_id": "1", "title": "Valves", "text": "Valves are made of steel."}\n',
    "DSQA-full.csv": "problem,answer,problem_category,answer_type\n"
    'Which rivers flow through Lyon?,"Rhône, Saône",Geography,Set Answer\n',
    "said.jsonl": '{"id": "Which rivers flow through Lyon?", "answers": ["Rhône", "Isère"]}\n',
    "rivers.jsonl": '{"id": "1", "question": "Which rivers flow through Lyon?", '
    '"answers": [["Rhône", "Rhone"], "Saône"]}\n'
    '{"id": "2", "question": "Who wrote Good Omens?", "answers": ["Neil Gaiman", "Terry Pratchett"]}\n',
    "rivers_run.jsonl": '{"id": "1", "answers": ["rhone", "Isère"]}\n'
    '{"id": "2", "answers": ["Neil Gaiman"]}\n',
    "mine.yaml": "P57: {label: director}\n",
    "odd.tsv": "subject\trelation\tobject\nFalcon Pump\tinsured with\tNordwerk\n",
    "kinds.json": '{"simple": 0.93, "composition": 0.81, "estimate": 0.88}',
}


def make(folder: Path) -> None:
    """Fill a folder with the stock."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "handbook.pdf").write_bytes(pdf(["Nordwerk", "Nordwerk makes the Falcon Pump."]))
    pump_documents.write(folder / "pumps")
    write_world(folder / "world", entities=500, seed=1, jobs=1, ages=2)
    for prefix, dumps in (("", folder / "world"), ("newer_", folder / "world" / "age-2")):
        graph = folder / f"{prefix}graph"
        make_graph([dumps / "wikidata.json.gz", folder / "odd.tsv"], graph, jobs=1)
        make_corpus([dumps / "pages.xml.bz2"], folder / f"{prefix}corpus", graph=graph, jobs=1)
    make_graph(
        [folder / name for name in ("facts.tsv", "values.tsv", "entities.jsonl")], folder / "mine", jobs=1
    )
    changes = ["answers.least=2", "evidence.verifier=none", "relations.simple=[P57, P161, P50, P19]"]
    questions = build(
        "qampari",
        graph=folder / "graph",
        corpus=folder / "corpus",
        out=folder / "set",
        changes=changes,
        jobs=1,
    )
    build(
        "qampari",
        graph=folder / "newer_graph",
        corpus=folder / "newer_corpus",
        out=folder / "newer",
        update=folder / "set",
        changes=changes,
        jobs=1,
    )
    shutil.copy(folder / "set" / ".build" / "simple-evidence" / "evidence.parquet", folder)
    for name in ("facts.tsv", "values.tsv", "entities.jsonl", "freebase.nt"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
    export(questions, "qampari", folder / "published.jsonl")
    export(questions, "qampari", folder / "published")
    _runs(questions, folder)
    _triples(questions, folder)
    _gold(questions, folder)
    _audit(folder)


def _runs(questions: QuestionSet, folder: Path) -> None:
    chance = random.Random(1)
    for name in ("one", "two"):
        said = [
            Prediction(one.id, [answer.label for answer in one.answers if chance.random() < 0.7] + ["Nobody"])
            for one in questions
        ]
        Run(said).save(folder / f"{name}.jsonl")


def _audit(folder: Path) -> None:
    """An audit whose open answers somebody has judged."""
    places = ["--graph", str(folder / "graph"), "--corpus", str(folder / "corpus")]
    runs = [str(folder / name) for name in ("one.jsonl", "two.jsonl")]
    words = ["audit", str(folder / "set"), *runs, *places, "--out", str(folder / "audited"), "--plan", "0.5"]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    open_answers = [
        json.loads(line) for line in (folder / "audited" / "to_judge.jsonl").read_text("utf-8").splitlines()
    ]
    judged = [{**one, "right": place % 3 == 0, "by": "person"} for place, one in enumerate(open_answers)]
    (folder / "audited" / "judgments.jsonl").write_text(
        "".join(json.dumps(one) + "\n" for one in judged), encoding="utf-8"
    )


def _gold(questions: QuestionSet, folder: Path) -> None:
    """Right verdicts for an answer of each question, in a table."""
    with (folder / "gold.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(
            [
                ("question", "answer", "verdict"),
                *((one.id, one.answers[0].label, "stated") for one in questions),
            ]
        )


def _triples(questions: QuestionSet, folder: Path) -> None:
    """Labelled sentences: the evidence of the set, and its sentences with other objects."""
    rows = []
    with Graph.open(folder / "graph") as graph:
        for one in questions.questions[:8]:
            for answer in one.answers:
                for piece in answer.evidence:
                    subject, relation, object_ = (piece.fact or "").split(" ", 2)
                    told = {"text": piece.text, "relation": relation, "subject": graph.label(subject)}
                    rows.append({**told, "object": graph.label(object_), "label": True})
                    rows.append({**told, "object": "Somebody Else", "label": False})
    (folder / "triples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

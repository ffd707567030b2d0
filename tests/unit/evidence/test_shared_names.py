"""Names that several entities share: none of them loses evidence by it, and the search says so."""

import json
from pathlib import Path

import pytest

from rollcall.corpus import make_corpus
from rollcall.evidence import find_evidence
from rollcall.graph import make_graph
from rollcall.tables.build import EvidenceRows, ProvableFacts
from rollcall.tables.files import read, write_records
from rollcall.text.name_forms import BETWEEN, known_forms
from rollcall.text.names import NameMatcher


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("It was found by Sir Ottokar Holm in 1808.", ["Sir O. Holm", "Holm", "O. Holm"], ["Holm"]),
        ("It was found by Ottokar Holm.", ["Sir Ottocar Holm", "Holm"], ["Holm"]),
        ("It was found by Edmund Holm.", ["Sir Ottokar Holm", "Holm", "O. Holm"], []),
        ("It was found by Otto Holm.", ["Otta Holm", "Holm"], []),
        ("It stands in Ottokar Holm Street.", ["O. Holm", "Holm"], []),
        ("It was found in New Holm.", ["Holm", "Holm, Norrow"], []),
    ],
)
def test_a_family_name_counts_behind_a_given_name_of_its_bearer(
    text: str, names: list[str], expected: list[str]
) -> None:
    matcher = NameMatcher(text)
    matcher.add(known_forms(BETWEEN.join(names)), 0)
    assert [text[start:end] for start, end, _keys in matcher.find()] == expected


def test_an_alias_of_two_people_proves_the_facts_of_both(tmp_path: Path) -> None:
    people = [
        {"id": "o", "label": "Sir O. Holm", "aliases": ["Holm", "O. Holm"]},
        {"id": "ottocar", "label": "Sir Ottocar Holm", "aliases": ["Holm", "Ottocar Holm"]},
        {"id": "vellium", "label": "Vellium"},
        {"id": "norrium", "label": "Norrium"},
    ]
    (tmp_path / "people.jsonl").write_text("".join(json.dumps(person) + "\n" for person in people))
    facts = [("vellium", "found by", "o"), ("norrium", "found by", "ottocar")]
    (tmp_path / "facts.tsv").write_text(
        "subject\trelation\tobject\n" + "".join("\t".join(fact) + "\n" for fact in facts)
    )
    graph = make_graph([tmp_path / "people.jsonl", tmp_path / "facts.tsv"], tmp_path / "graph", jobs=1)
    pages = [
        {"title": "Vellium", "text": "It was found in 1808 by Sir Ottokar Holm and by Ida Marl."},
        {"title": "History", "text": "Ottokar Holm found Norrium in a cave."},
    ]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    corpus = make_corpus([tmp_path / "pages.jsonl"], tmp_path / "corpus", graph=graph.folder, jobs=1)
    rows = [
        {"subject": subject, "relation": relation, "object": object_, "literal": False}
        for subject, relation, object_ in facts
    ]
    write_records(ProvableFacts, tmp_path / "facts.parquet", rows)
    summary = find_evidence(
        graph, corpus, tmp_path / "facts.parquet", tmp_path / "evidence.parquet", verifier="none", jobs=1
    )
    evidence = read(EvidenceRows, tmp_path / "evidence.parquet").to_pylist()
    assert sorted((row["subject"], row["object"], row["page"]) for row in evidence) == [
        ("norrium", "ottocar", "History"),
        ("vellium", "o", "Vellium"),
    ]
    assert summary.shared_names == "1 name has several bearers (Holm: Sir O. Holm, Sir Ottocar Holm)"

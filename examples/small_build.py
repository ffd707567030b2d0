"""A question set from a graph and a text of your own: mined, proved, worded, split and written.

python examples/small_build.py
"""

import json
import tempfile
from pathlib import Path

from rollcall import write_graph
from rollcall.build import build
from rollcall.corpus import make_corpus

DIRECTED = ["Nine Lanterns", "The Glass Orchard", "Salt Road", "A Quiet Ferry"]
PRODUCED = ["Winter Ledger", "Paper Harbour", "Tin Meadow"]


def main() -> None:
    facts = [(film, "director", "Orla Venn") for film in DIRECTED]
    facts += [(film, "producer", "Orla Venn") for film in PRODUCED]
    texts = {
        film: f"{film} is a film directed by Orla Venn. It was shown in twelve towns." for film in DIRECTED
    }
    texts |= {film: f"{film} is a long film. Orla Venn produced {film}." for film in PRODUCED}
    pages = [{"title": title, "text": text} for title, text in texts.items()]
    pages.append({"title": "Orla Venn", "text": "Orla Venn makes films."})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_graph(folder / "graph", facts=facts, types=[(film, "film") for film in texts])
        source = folder / "pages.jsonl"
        source.write_text("\n".join(json.dumps(page) for page in pages), encoding="utf-8")
        make_corpus([source], folder / "corpus", graph=folder / "graph", jobs=1)
        questions = build(
            "qampari",
            graph=folder / "graph",
            corpus=folder / "corpus",
            out=folder / "set",
            # So small a world teaches nobody what a director is: every sentence that names both counts.
            changes=["answers.least=3", "evidence.verifier=none", "relations.simple=all"],
            jobs=1,
        )
        for question in questions:
            print(f"{question.split}: {question.question}")
            for answer in question.answers:
                print(f"   {answer.label}: {answer.evidence[0].text}")
        print("removed:", questions.manifest["stages"]["simple"].get("removed", {}))


if __name__ == "__main__":
    main()

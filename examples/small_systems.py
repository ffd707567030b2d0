"""A system of your own beside Rollcall's: retrieve, read, run, score.

python examples/small_systems.py
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import rollcall
from rollcall.graph.graph import EntityRecord
from rollcall.questions import Answer, Passage, Question
from rollcall.score import score
from rollcall.systems import Answers, Asked, Reader

FILMS = {
    "Nine Lanterns": "Nine Lanterns is a film. It was directed by Orla Venn in Orm.",
    "The Glass Orchard": "The Glass Orchard is a long film directed by Orla Venn.",
    "Tam's Boat": "Tam's Boat is a film directed by Tam Reck, a friend of Orla Venn.",
    "Orla Venn": "Orla Venn is a director from Orm. She lives by the sea.",
    "Tam Reck": "Tam Reck is a director. He grew up in Orm.",
}


class Titles(Reader):
    """Answers with the titles of the passages."""

    name = "titles"
    needs = ("passages",)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return [passage.title for passage in passages]


def main() -> None:
    question = Question(
        "1",
        "Which films were directed by Orla Venn?",
        answers=[Answer("Nine Lanterns"), Answer("The Glass Orchard")],
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = {title: "director" if title in ("Orla Venn", "Tam Reck") else "film" for title in FILMS}
        graph = rollcall.write_graph(
            folder / "graph",
            entities=[EntityRecord(title, title) for title in FILMS],
            types=list(kinds.items()),
            facts=[("Nine Lanterns", "directed by", "Orla Venn")],
        )
        source = folder / "pages.jsonl"
        source.write_text("\n".join(json.dumps({"title": t, "text": text}) for t, text in FILMS.items()))
        corpus = rollcall.make_corpus([source], folder / "corpus", graph=folder / "graph", jobs=1)
        for reader in (Titles, "mentions"):
            run = rollcall.run([question], reader, retriever="bm25", corpus=corpus, graph=graph, k=5)
            report = score([question], run, confidence=None)
            answers = [one if isinstance(one, str) else one.label for one in run.predictions[0].answers]
            name = run.settings["reader"]["name"]
            print(f"{name}: {', '.join(answers)} (F1 {report['F1'].value:.2f})")


if __name__ == "__main__":
    main()

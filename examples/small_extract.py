"""Documents alone: a graph is read out of them, and the corpus is tied to it. Here without a language model.

python examples/small_extract.py
"""

import json
import tempfile
from pathlib import Path

import rollcall
from rollcall import make_corpus

DOCUMENTS = {
    "nordwerk.md": "# Nordwerk AG\n\nNordwerk AG is a maker of pumps. It was founded by Ada Moss in 1962.",
    "falcon.md": "# Falcon Pump\n\nThe Falcon Pump is a pump. It was designed by Ada Moss.",
    "heron.md": "# Heron Pump\n\nThe Heron Pump is a pump. It was designed by Jonas Pell and Ada Moss.",
    "lindqvist.md": "# Lindqvist Holding\n\nLindqvist Holding is a firm. It owns [Nordwerk](nordwerk.md).",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "documents").mkdir()
        for file, text in DOCUMENTS.items():
            (folder / "documents" / file).write_text(text + "\n")
        corpus = make_corpus([folder / "documents"], folder / "corpus", jobs=1)
        # With a model: client=Client("http://localhost:8000/v1"), model="NAME", schema="schema.yaml"
        made = rollcall.extract(corpus, folder / "mine", verifier="none")
        for line in made.statements.read_text().splitlines():
            fact = json.loads(line)
            said = (fact["subject_label"], fact["relation_label"], fact["object_label"])
            print(f"{' – '.join(said)}: {fact['text']}")
        print(made.graph.answers(rollcall.entity("Ada Moss") << "P287"))
        print({page.title: page.entity for page in made.corpus.pages()})


if __name__ == "__main__":
    main()

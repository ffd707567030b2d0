"""Text of your own beside a graph of your own: sentences, links and names.

python examples/small_corpus.py
"""

import json
import tempfile
from pathlib import Path

from rollcall import write_graph
from rollcall.corpus import make_corpus
from rollcall.corpus.wikitext import parse

PAGE = """'''Nine Lanterns''' is a film by [[Orla Venn|Venn]].<ref>Archive, p. 3.</ref>
It was shot {{convert|90|km|mi}} from Orm.

{| class="wikitable"
! Film !! Year
|-
| rowspan=2 | [[Nine Lanterns]] || 1981
|-
| 1984
|}
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_graph(folder / "graph", facts=[("Nine Lanterns", "director", "Orla Venn")])
        content = parse(PAGE)
        pages = [
            {
                "title": "Nine Lanterns",
                "text": content.text,
                "links": [
                    {"target": link.target, "start": link.start, "end": link.end} for link in content.links
                ],
            },
            {"title": "Orla Venn", "text": "Orla Venn directs. Dr. T. Reck taught her."},
        ]
        source = folder / "pages.jsonl"
        source.write_text("\n".join(json.dumps(page) for page in pages), encoding="utf-8")
        corpus = make_corpus([source], folder / "corpus", graph=folder / "graph", jobs=1)
        for page in corpus.find("Nine Lanterns"):
            for sentence in corpus.sentences(page.id):
                print(f"sentence {sentence.number}: {sentence.text}")
            for link in corpus.links(page.id):
                print(f"link: {link.anchor} means {link.entity}")
        print("second page:", [sentence.text for sentence in corpus.sentences("Orla Venn")])
        print("aliases of Orla Venn:", corpus.aliases("Orla Venn"))
        print("rows:", [[cell.text for cell in row] for row in content.tables[0].rows])


if __name__ == "__main__":
    main()

"""Questions from a graph of your own whose relations no lexicon knows, and how to correct their words.

python examples/small_lexicon.py
"""

import tempfile
from pathlib import Path

from rollcall import Graph, Query, write_graph
from rollcall.build.lexicon import write_lexicon
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns

FACTS = [
    ("Ada Moss", "reportsTo", "Orla Venn"),
    ("Tom Ash", "reportsTo", "Orla Venn"),
    ("Acme", "SUPPLIED_BY", "Zinc Works"),
    ("Acme", "hq", "Graz"),
]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_graph(folder / "graph", facts=FACTS)
        with Graph.open(folder / "graph") as graph:
            queries = [Query.parse(text) for text in ("?x reportsTo [Orla Venn]", "Acme SUPPLIED_BY ?x")]
            usual = Realiser(graph, ends=EndNouns(graph))
            for query in queries:
                print("by the label:", usual.word(query).question)
            mine = folder / "mine.yaml"
            write_lexicon(graph, mine)
            mine.write_text(mine.read_text().replace("is supplied by {object}", "buys from {object}"))
            write_lexicon(graph, mine)  # keeps what was corrected
            corrected = Realiser(graph, Lexicon.load(mine))
            print("corrected:", corrected.word(Query.parse("?x SUPPLIED_BY [Zinc Works]")).question)


if __name__ == "__main__":
    main()

"""Edits source files one by one, and prints which stages a build would redo: a program for a test.

    python plans_after_edits.py SOURCE GRAPH CORPUS SET EDITED CHANGE...

SOURCE is a copy of the package, from which this program runs; EDITED is a JSON list of its files. Each is
edited, the build planned, and the file put back. A stage that only waits for another does not count.
"""

import json
import sys
from pathlib import Path

import rollcall
from rollcall.build import Build


def redone(graph: str, corpus: str, out: str, changes: list[str]) -> list[str]:
    steps = Build("qampari", graph=graph, corpus=corpus, out=out, changes=changes, jobs=1).plan()
    return [step.stage for step in steps if step.runs and "changed" in step.why]


def main() -> None:
    source, graph, corpus, out, edited, *changes = sys.argv[1:]
    assert Path(rollcall.__file__).parent == Path(source), "this must run from the copy"
    plans = {"": redone(graph, corpus, out, changes)}
    for name in json.loads(edited):
        path = Path(source) / name
        before = path.read_text(encoding="utf-8")
        path.write_text(f"{before}\n# edited\n", encoding="utf-8")
        plans[name] = redone(graph, corpus, out, changes)
        path.write_text(before, encoding="utf-8")
    print(json.dumps(plans))


if __name__ == "__main__":
    main()

"""The data: worlds with their question sets, or sets of a user with their graph and corpus.

Worlds of different seeds have no person, work or place in common, so a system that is tested on another world
than it was trained on can know nothing by heart.
"""

from pathlib import Path

import rollcall
from paper_tables.place import Data, Place, Source
from paper_tables.profile import RECIPES, Profile


def worlds(place: Place, name: str, profile: Profile, number: int, seed: int, entities: int | None) -> Data:
    """Worlds to learn from, and one more to test on."""
    size = entities or profile.entities
    sources = [
        _world(place.made / f"world-{seed + one}", size, seed + one, profile) for one in range(number + 1)
    ]
    about = f"worlds of {size:,} entities, tested on another than learned from"
    return Data(name, about, sources, list(range(number)), number, profile.k)


def given(place: Place, name: str, profile: Profile, sets: dict[str, str], graph: str, corpus: str) -> Data:
    """A graph and a corpus of a user; sets that are not given are built from them."""
    made = {
        kind: sets.get(kind) or _built(kind, Path(graph), Path(corpus), place.made / kind, profile)
        for kind in RECIPES
    }
    return Data(name, Path(made["qampari"]).name, [Source(graph, corpus, made)], [0], 0, profile.k)


def _world(folder: Path, entities: int, seed: int, profile: Profile) -> Source:
    from rollcall.graph.make import make_graph
    from rollcall.world.write import write_world

    graph, corpus, dump = folder / "graph", folder / "corpus", folder / "dump"
    if not dump.is_dir():
        write_world(dump, entities, seed, jobs=profile.jobs)
    if not graph.is_dir():
        make_graph([dump / "wikidata.json.gz"], graph, jobs=profile.jobs)
    if not corpus.is_dir():
        rollcall.make_corpus([dump / "pages.xml.bz2"], corpus, graph=graph, jobs=profile.jobs)
    sets = {kind: _built(kind, graph, corpus, folder / kind, profile) for kind in RECIPES}
    return Source(str(graph), str(corpus), sets)


def _built(kind: str, graph: Path, corpus: Path, out: Path, profile: Profile) -> str:
    if not (out / "manifest.json").is_file():
        changes = profile.recipes[kind]
        rollcall.build(RECIPES[kind], graph=graph, corpus=corpus, out=out, changes=changes, jobs=profile.jobs)
    return str(out)

"""One block of a world: some hundred entities with their pages and truth, as finished compressed bytes.

A block depends only on the skeleton, so any number of processes can make blocks, which are then concatenated.
The size of blocks does not depend on the number of processes, so neither do the bytes of the world.
"""

import bz2
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rollcall.world import smallpages, truth
from rollcall.world.aliases import Aliases
from rollcall.world.article import Articles, Page
from rollcall.world.census import Census
from rollcall.world.chance import key, word
from rollcall.world.dump import Dump
from rollcall.world.facts import Facts
from rollcall.world.kinds import Kind
from rollcall.world.labels import Labels
from rollcall.world.lists import Lists
from rollcall.world.mention import Names
from rollcall.world.pages import page_xml
from rollcall.world.relations import OF_KIND
from rollcall.world.skeleton import Skeleton
from rollcall.world.titles import Titles, title_hash
from rollcall.world.values import Quantity

PAGES_A_STREAM = 100


@dataclass(frozen=True)
class Block:
    """The finished bytes of a block, and the numbers of their contents."""

    wikidata: bytes
    pages: bytes
    truth: bytes
    entities: int


@dataclass(frozen=True)
class Hashes:
    """Hashes of the labels of some entities, and of the aliases that need a redirect (0 for none)."""

    labels: bytes
    aliases: bytes


@dataclass(frozen=True)
class Settings:
    """What a worker needs to make any block."""

    entities: int
    seed: int
    untold: float
    decoys: float
    folder: Path
    unknown: float = 0.0
    unlisted: float = 0.0


class Maker:
    """Makes the blocks of one world."""

    def __init__(self, settings: Settings):
        self.census = Census(settings.entities, settings.seed)
        self.skeleton = Skeleton(self.census, settings.folder)
        self.labels = Labels(self.skeleton)
        aliases = Aliases(self.labels)
        self.titles = Titles(self.labels, aliases)
        self.names = Names(self.labels, aliases, self.titles)
        self.facts = Facts(self.skeleton, settings.untold, settings.unknown, settings.unlisted)
        self.dump = Dump(self.facts, self.names)
        self.articles = Articles(self.facts, self.names, settings.decoys)
        self.lists = Lists(self.articles, self.names)
        self._revisions = key(settings.seed, "revision")
        self._classes = key(settings.seed, "class")
        self._population = next(relation for relation in OF_KIND["city"] if relation.id == "P1082")

    def hashes(self, start: int, stop: int) -> Hashes:
        """Hashes of the labels and wanted redirects of some entities."""
        labels = [title_hash(str(self.labels.label(number))) for number in range(start, stop)]
        aliases = [self.titles.redirect_alias(number) for number in range(start, stop)]
        wanted = [title_hash(alias) if alias else 0 for alias in aliases]
        return Hashes(np.array(labels, np.uint64).tobytes(), np.array(wanted, np.uint64).tobytes())

    def block(self, index: int) -> Block:
        numbers = self.census.block(index)
        self.skeleton.look_ahead(numbers)
        lines: list[bytes] = []
        pages: list[str] = []
        rows: list[truth.Row] = []
        for number in numbers:
            facts = self.facts.of(number)
            class_id = self.class_of(number, self.census.kind(number))
            known = [fact for fact in facts if self.facts.is_known(fact)]
            lines.append(self.dump.entity(number, known, class_id))
            page, told = self.articles.write(number, facts, class_id)
            rows += told
            first = 1000 + self.census.scrambled(number) * 32
            pages.append(self._xml(page, first))
            pages += [
                self._xml(small, first + 1 + place) for place, small in self._around(number, page.title)
            ]
            for place, listing, cells in self.lists.write(number):
                pages.append(self._xml(listing, first + 5 + place))
                rows += cells
        return Block(
            wikidata=gzip_member(b"".join(line + b",\n" for line in lines)),
            pages=b"".join(
                bz2.compress("".join(pages[start : start + PAGES_A_STREAM]).encode())
                for start in range(0, len(pages), PAGES_A_STREAM)
            ),
            truth=truth.batch(rows),
            entities=len(numbers),
        )

    def fixed(self) -> tuple[bytes, bytes]:
        """The parts that are the same in every world: lines of the dump and pages, not compressed."""
        lines = b",\n".join(self.dump.class_items()) + b"\n"
        pages = [
            self._xml(page, 10 + place) for place, page in enumerate(smallpages.fixed_pages(self.titles))
        ]
        return lines, "".join(pages).encode()

    def _around(self, number: int, title: str) -> list[tuple[int, Page]]:
        found = [
            smallpages.redirect(self.titles, number),
            smallpages.disambiguation(self.titles, self.names, number),
            smallpages.talk(self.census.seed, title, number),
        ]
        return [(place, page) for place, page in enumerate(found) if page is not None]

    def _xml(self, page: Page, page_id: int) -> str:
        return page_xml(page, page_id, self._revisions)

    def class_of(self, number: int, kind: Kind) -> str:
        """The class of an entity: mostly the first of its kind's."""
        if kind.name == "sports team":
            return kind.classes[self.facts.sources.sport(number, kind)]
        if len(kind.classes) == 1:
            return kind.classes[0]
        if kind.name == "city":
            return self._settlement_class(number, kind)
        bits = word(self._classes, number)
        return kind.classes[0] if bits % 100 < 55 else kind.classes[(bits >> 8) % len(kind.classes)]

    def _settlement_class(self, number: int, kind: Kind) -> str:
        """City, town or village, by population; a capital is always a city."""
        if number - self.census.range["city"].start < len(self.census.range["country"]):
            return kind.classes[0]
        inhabitants = self.facts.sources.values(number, kind, self._population)[0]
        assert isinstance(inhabitants, Quantity)
        count = int(inhabitants.amount)
        return kind.classes[0 if count > 40_000 else 1 if count > 2_500 else 2]


def gzip_member(data: bytes) -> bytes:
    """One gzip member, without a time stamp."""
    packer = zlib.compressobj(5, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()

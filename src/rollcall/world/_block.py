"""One block of a world: some hundred entities with their pages and truth, as finished compressed bytes.

A block depends only on the skeleton, so any number of processes can make blocks, which are then concatenated.
The size of blocks does not depend on the number of processes, so neither do the bytes of the world.
"""

import bz2
import zlib
from pathlib import Path

import msgspec
import numpy as np

from rollcall.world._article import ArticleDraft, Articles, WrittenPage
from rollcall.world._chance import key, word
from rollcall.world._dump import Dump, encoded
from rollcall.world._facts import Row, WorldFact, WorldFacts, batch
from rollcall.world._labels import EntityLabels
from rollcall.world._lists import Lists
from rollcall.world._pages import disambiguation, fixed_pages, page_xml, redirect, talk
from rollcall.world._sentences import EntityNames
from rollcall.world._skeleton import Census, Skeleton
from rollcall.world._sources import Quantity, Snak
from rollcall.world._titles import EntityAliases, PageTitles, title_hash
from rollcall.world._vocabulary import EntityKind, relation_of

PAGES_A_STREAM = 100


class FinishedBlock(msgspec.Struct, frozen=True):
    """The finished bytes of a block, and the numbers of their contents."""

    wikidata: bytes
    pages: bytes
    truth: bytes
    entities: int


class Hashes(msgspec.Struct, frozen=True):
    """Hashes of the labels of some entities, and of the aliases that need a redirect (0 for none)."""

    labels: bytes
    aliases: bytes


class Settings(msgspec.Struct, frozen=True):
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
        census = Census(settings.entities, settings.seed)
        skeleton = Skeleton(census, settings.folder)
        labels = EntityLabels(skeleton)
        facts = WorldFacts(skeleton, settings.untold, settings.unknown, settings.unlisted)
        self._put_together(settings, labels, EntityAliases(labels), facts)

    def _put_together(
        self, settings: Settings, labels: EntityLabels, aliases: EntityAliases, facts: WorldFacts
    ) -> None:
        self.skeleton, self.census, self.labels = labels.skeleton, labels.census, labels
        self.titles = PageTitles(labels, aliases)
        self.names = EntityNames(labels, aliases, self.titles)
        self.facts = facts
        self.dump = Dump(facts, self.names)
        self.articles = Articles(facts, self.names, settings.decoys)
        self.lists = Lists(self.articles, self.names)
        self._revisions = key(settings.seed, "revision")
        self._classes = key(settings.seed, "class")
        self._population = relation_of("city", "P1082")

    def hashes(self, start: int, stop: int) -> Hashes:
        """Hashes of the labels and wanted redirects of some entities."""
        labels = [title_hash(str(self.labels.label(number))) for number in range(start, stop)]
        aliases = [self.titles.redirect_alias(number) for number in range(start, stop)]
        hashes = [title_hash(alias) if alias else 0 for alias in aliases]
        return Hashes(np.array(labels, np.uint64).tobytes(), np.array(hashes, np.uint64).tobytes())

    @property
    def entities(self) -> int:
        """How many entities there are."""
        return self.census.total

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return self.census.blocks

    def numbers(self, index: int) -> list[int]:
        """The entities of one block."""
        return self.census.block(index)

    def record(self, number: int, facts: list[WorldFact]) -> Snak:
        """An entity as it is in the dump, which does not know every fact."""
        known_facts = [fact for fact in facts if self.facts.is_known(fact)]
        return self.dump.record(number, known_facts, self.class_of(number, self.census.kind(number)))

    def draft(self, number: int, facts: list[WorldFact], alive: bool) -> ArticleDraft:
        """The article of an entity; `alive` decides the tense."""
        return self.articles.draft(number, facts, self.class_of(number, self.census.kind(number)), alive)

    def block(self, index: int) -> FinishedBlock:
        """Some hundred entities as finished bytes."""
        numbers = self.numbers(index)
        self.skeleton.look_ahead(numbers)
        lines: list[bytes] = []
        pages: list[str] = []
        rows: list[Row] = []
        for number in numbers:
            facts = self.facts.of(number)
            lines.append(encoded(self.record(number, facts)))
            draft = self.draft(number, facts, self.names.lives(number))
            page, truth_rows = self.articles.finish(draft, facts)
            rows += truth_rows
            first = 1000 + self.census.scrambled(number) * 32
            pages.append(self._xml(page, first))
            for position, small in self.around(number, page.title):
                pages.append(self._xml(small, first + 1 + position))
            for position, listing, cells in self.lists.write(number):
                pages.append(self._xml(listing, first + 5 + position))
                rows += cells
        return FinishedBlock(
            wikidata=gzip_member(b"".join(line + b",\n" for line in lines)),
            pages=b"".join(
                bz2.compress("".join(pages[start : start + PAGES_A_STREAM]).encode())
                for start in range(0, len(pages), PAGES_A_STREAM)
            ),
            truth=batch(rows),
            entities=len(numbers),
        )

    def fixed(self) -> tuple[bytes, bytes]:
        """The parts that are the same in every world: lines of the dump and pages, not compressed."""
        lines = b",\n".join(self.dump.class_items()) + b"\n"
        fixed = [self._xml(page, 10 + position) for position, page in enumerate(fixed_pages(self.titles))]
        return lines, "".join(fixed).encode()

    def around(self, number: int, title: str) -> list[tuple[int, WrittenPage]]:
        """The small pages that belong to an article, each with its position among them."""
        pages = [
            redirect(self.titles, number),
            disambiguation(self.titles, self.names, number),
            talk(self.census.seed, title, number),
        ]
        return [(position, page) for position, page in enumerate(pages) if page is not None]

    def _xml(self, page: WrittenPage, page_id: int) -> str:
        return page_xml(page, page_id, self._revisions)

    def class_of(self, number: int, kind: EntityKind) -> str:
        """The class of an entity: mostly the first of its kind's."""
        if kind.name == "sports team":
            return kind.classes[self.facts.sources.sport(number, kind)]
        if len(kind.classes) == 1:
            return kind.classes[0]
        if kind.name == "city":
            return self._settlement_class(number, kind)
        bits = word(self._classes, number)
        return kind.classes[0] if bits % 100 < 55 else kind.classes[(bits >> 8) % len(kind.classes)]

    def _settlement_class(self, number: int, kind: EntityKind) -> str:
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

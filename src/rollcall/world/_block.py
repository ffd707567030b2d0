"""One block of a world: some hundred entities with their pages and truth, as finished compressed bytes.

A block depends only on the skeleton, so any number of processes can make blocks, which are then concatenated.
The size of blocks does not depend on the number of processes, so neither do the bytes of the world.

- `Maker`: makes the blocks of a world. `Lists`: the "List of …" pages of a block.
"""

import bz2
import zlib
from pathlib import Path

import msgspec
import numpy as np

from rollcall.world._article import ArticleDraft, Articles, WrittenPage, reference
from rollcall.world._chance import Dice, key, share, word
from rollcall.world._dump import Dump, encoded
from rollcall.world._facts import Row, WorldFact, WorldFacts, batch
from rollcall.world._labels import EntityLabels
from rollcall.world._pages import disambiguation, fixed_pages, page_xml, redirect, talk
from rollcall.world._sentences import EntityNames, mention
from rollcall.world._skeleton import NONE, Census, Skeleton
from rollcall.world._sources import DateValue, Quantity, Snak, with_commas
from rollcall.world._titles import EntityAliases, PageTitles, title_hash
from rollcall.world._vocabulary import LISTS, OF_KIND, EntityKind, ListKind, Relation, relation_of

# The "List of …" pages: a table of all subjects of one relation to an entity, with facts about each. A list
# belongs to its owner (the director, the country, the university) and is written in the same block as the
# owner's article. Rows and columns are laid out as a grid first; spans are added last, so the truth about a
# cell never depends on them.


_LEAST, _MOST = 5, 120


class GridCell(msgspec.Struct):
    """One cell of the grid: its content as wikitext and as text, with its statements and entities."""

    wiki: str
    text: str
    facts: list[WorldFact] = []
    linked: list[int] = []
    relation: str | None = None
    span_key: str = ""
    sort: str = ""


class Lists:
    """Writes the list pages of one world."""

    def __init__(self, articles: Articles, names: EntityNames):
        self.articles, self.names, self.facts = articles, names, articles.facts
        self.census = articles.census
        self._chosen, self._dice = key(self.census.seed, "list"), key(self.census.seed, "list dice")
        self._of_owner: dict[str, list[tuple[int, ListKind, Relation]]] = {}
        for index, kind in enumerate(LISTS):
            relation = relation_of(kind.rows, kind.relation)
            self._of_owner.setdefault(kind.owner, []).append((index, kind, relation))

    def write(self, number: int) -> list[tuple[int, WrittenPage, list[Row]]]:
        """The lists that an entity owns: a number for each, the page, and the truth about its cells."""
        owner = self.census.kind(number).name
        pages = []
        for index, kind, relation in self._of_owner.get(owner, ()):
            if share(self._chosen, number * 32 + index) > 0.75:
                continue
            rows = self._members(number, kind, relation)
            if _LEAST <= len(rows) <= _MOST:
                pages.append((index, *self._page(number, index, kind, relation, rows)))
        return pages

    def _members(self, number: int, kind: ListKind, relation: Relation) -> list[int]:
        if relation.source == "country":
            members = self.census.range[kind.rows]
            local = self.facts.skeleton[f"local {kind.rows}"]
            starts = self.facts.skeleton[f"local {kind.rows} starts"]
            country = number - self.census.range["country"].start
            members_there: list[int] = local[
                starts[country] : min(starts[country + 1], starts[country] + _MOST + 1)
            ].tolist()
            subjects = [subject for subject in members_there if subject in members]
        else:
            subjects = self.facts.skeleton.subjects(relation, number)
            if len(subjects) > 4 * _MOST:
                return []
        listed = []
        for subject in subjects:
            subject_kind = self.census.kind(subject)
            if subject_kind.name == kind.rows:
                for fact in self.facts.about(subject, subject_kind, relation):
                    if (fact.value == number and fact.end == NONE) or (
                        fact.value == number and kind.relation == "P54"
                    ):
                        if self.facts.is_listed(fact):
                            listed.append(subject)
                        break
        return listed

    def _page(
        self, number: int, index: int, kind: ListKind, relation: Relation, rows: list[int]
    ) -> tuple[WrittenPage, list[Row]]:
        dice = Dice(self._dice, number * 32 + index)
        owner = self.names.of(number)
        the = mention(owner, owner.title, False, False).plain
        if owner.style:
            the = owner.title
        title = kind.title.format(the.replace('"', ""))
        columns = kind.columns[: 2 + dice.below(len(kind.columns) - 1)]
        grid = [self._grid_row(subject, kind, columns, dice) for subject in rows]
        if dice.below(2):
            grid.sort(key=lambda cells: (cells[1].sort, cells[0].text))
        else:
            grid.sort(key=lambda cells: cells[0].text)
        heads = [kind.head, *(name for name, _ in columns)]
        text = self._text(owner.title, the, title, heads, grid, dice)
        return WrittenPage(title, text[0]), self._truth(title, heads, grid, text[1], rows)

    def _grid_row(
        self, subject: int, kind: ListKind, columns: tuple[tuple[str, str], ...], dice: Dice
    ) -> list[GridCell]:
        name = self.names.of(subject)
        shown = mention(name, name.label, True, True, bare=True)
        first = GridCell(shown.wiki, shown.plain, linked=[subject])
        cells = [first]
        subject_kind = self.census.kind(subject)
        for _, id_ in columns:
            relation = next((candidate for candidate in OF_KIND[kind.rows] if candidate.id == id_), None)
            facts = self.facts.about(subject, subject_kind, relation) if relation else []
            cells.append(
                self._cell(id_, [fact for fact in facts if fact.end == NONE and not fact.slot > 2], dice)
            )
        for cell in cells[1:]:
            cell.span_key = cell.text
        return cells

    def _cell(self, id_: str, facts: list[WorldFact], dice: Dice) -> GridCell:
        if id_ == "P1082":
            facts = facts[:1]
        if not facts:
            return GridCell("", "", relation=id_) if dice.below(2) else GridCell("—", "—", relation=id_)
        wikis, texts, linked = [], [], []
        sort = ""
        for fact in facts:
            value = fact.value
            if isinstance(value, int):
                name = self.names.of(value)
                shown = mention(name, name.label, True, True, bare=True)
                wikis.append(shown.wiki)
                texts.append(shown.plain)
                linked.append(value)
                sort = sort or name.label
            elif isinstance(value, DateValue):
                written = value.written()
                day = (
                    f"{{{{dts|{value.year}|{value.month}|{value.day}|format=dmy}}}}" if value.day else written
                )
                wikis.append(day if dice.below(3) == 0 else written)
                texts.append(written)
                sort = value.canonical()
            elif isinstance(value, Quantity):
                written = value.written() if value.unit else with_commas(value.amount)
                wikis.append(written.replace(" ", "&nbsp;") if dice.below(4) == 0 else written)
                texts.append(written)
                sort = f"{float(value.amount):020.4f}"
            else:
                wikis.append(value.written())
                texts.append(value.written())
        return GridCell(", ".join(wikis), ", ".join(texts), facts, linked, id_, sort=sort)

    def _text(
        self, owner_title: str, the: str, title: str, heads: list[str], grid: list[list[GridCell]], dice: Dice
    ) -> tuple[str, list[int]]:
        """The page, and the rows before which a heading row spans the whole table."""
        spanning = dice.below(7) == 0
        merged = dice.below(10) < 4
        breaks = [len(grid) // 2] if spanning and len(grid) > 7 else []
        lines = ['{| class="wikitable sortable"' + (' style="width:90%"' if dice.below(3) == 0 else "")]
        if dice.below(2):
            lines.append(f"|+ {title[8].upper()}{title[9:]}")
        lines.append("|-")
        if dice.below(2):
            lines += [f'! scope="col" | {head}' for head in heads]
        else:
            lines.append("! " + " !! ".join(heads))
        inline = dice.below(3) == 0
        rows_left = [0] * len(heads)
        cited: set[str] = set()
        for number, cells in enumerate(grid):
            if number in breaks:
                lines += ["|-", f'! colspan="{len(heads)}" | Further entries']
            lines.append("|-")
            row: list[str] = []
            for column, cell in enumerate(cells):
                if rows_left[column]:
                    rows_left[column] -= 1
                    continue
                length = self._run(grid, number, column, breaks) if merged and column else 1
                rows_left[column] = length - 1
                row.append(self._cell_wiki(cell, length, column, dice, cited))
            if inline and not any("\n" in part for part in row):
                lines.append(row[0] + "".join(part.replace("| ", " || ", 1) for part in row[1:]))
            else:
                lines += row
        lines.append("|}")
        intro = f"This is a '''list of {title[8:]}'''."
        if dice.below(2):
            intro += " It is not complete; most dates follow the usual sources, cf. the notes below."
        parts = [intro, "\n".join(lines), "== References ==\n{{reflist}}", "[[Category:Lists]]"]
        parts.insert(1, f"{{{{Main|{owner_title}}}}}" if dice.below(2) else f"See also: [[{owner_title}]].")
        return "\n\n".join(parts), breaks

    @staticmethod
    def _run(grid: list[list[GridCell]], number: int, column: int, breaks: list[int]) -> int:
        """The number of consecutive rows from here with the same content in a column."""
        cell = grid[number][column]
        length = 1
        while (
            cell.text not in ("", "—")
            and number + length < len(grid)
            and number + length not in breaks
            and grid[number + length][column].span_key == cell.span_key
        ):
            length += 1
        return length

    @staticmethod
    def _cell_wiki(cell: GridCell, length: int, column: int, dice: Dice, cited: set[str]) -> str:
        attributes = f'rowspan="{length}"' if length > 1 else ""
        if cell.sort and cell.text[:1].isdigit() and dice.below(6) == 0:
            attributes = f'{attributes} align="right"'.strip()
        cites = column and cell.wiki and dice.below(14) == 0
        body = cell.wiki + (reference(dice, cited) if cites else "")
        if attributes:
            return f"| {attributes} | {body}"
        return f"| {body}"

    def _truth(
        self, title: str, heads: list[str], grid: list[list[GridCell]], breaks: list[int], rows: list[int]
    ) -> list[Row]:
        cell_rows: list[Row] = [
            self._cell_row(title, 0, column, head, None, None, None) for column, head in enumerate(heads)
        ]
        line = 0
        for number, cells in enumerate(grid):
            if number in breaks:
                line += 1
                cell_rows += [
                    self._cell_row(title, line, column, "Further entries", None, None, None)
                    for column in range(len(heads))
                ]
            line += 1
            subject = cells[0].linked[0]
            cell_rows.append(self._cell_row(title, line, 0, cells[0].text, None, subject, None, subject))
            for column, cell in enumerate(cells[1:], 1):
                if not cell.facts:
                    cell_rows.append(
                        self._cell_row(title, line, column, cell.text, cell.relation, subject, None)
                    )
                for fact in cell.facts:
                    target = fact.value if isinstance(fact.value, int) else None
                    cell_rows.append(
                        self._cell_row(title, line, column, cell.text, cell.relation, subject, fact, target)
                    )
        return cell_rows

    def _cell_row(
        self,
        page: str,
        row: int,
        column: int,
        text: str,
        relation: str | None,
        subject: int | None,
        fact: WorldFact | None,
        target: int | None = None,
    ) -> Row:
        object_text = (
            self.articles.object_text(fact)
            if fact
            else self.census.id(target)
            if target is not None
            else None
        )
        return (
            "cell",
            self.facts.id(fact) if fact else None,
            self.census.id(subject) if subject is not None else None,
            relation,
            object_text,
            page,
            "",
            None,
            None,
            None,
            False,
            fact.rank if fact else None,
            0,
            row,
            column,
            text,
        )


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

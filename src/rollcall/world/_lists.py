"""The "List of …" pages: a table of all subjects of one relation to an entity, with facts about each.

A list belongs to its owner (the director, the country, the university) and is written in the same block as
the owner's article. Rows and columns are laid out as a grid first; spans are added last, so the truth about a
cell never depends on them.
"""

import msgspec

from rollcall.world._article import Articles, WrittenPage, reference
from rollcall.world._chance import Dice, key, share
from rollcall.world._facts import Row, WorldFact
from rollcall.world._families import NONE
from rollcall.world._sentences import EntityNames, mention
from rollcall.world._sources import DateValue, Quantity, with_commas
from rollcall.world._vocabulary import LISTS, OF_KIND, ListKind, Relation, relation_of

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

"""What the columns of a file of rows hold: as they are called, as the user says, or as they are guessed.

Our own names always count. Then come Neo4j's, then names that other tools give to the three parts of a fact,
and at last a file of three columns without a header. A table with one thing a row has further columns, which
the user names as relations. What all rows share, such as their kind, is a quoted word instead of a column.
The summary and the manifest say what was guessed, and what was left out.
"""

import re
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import nearest
from rollcall.graph.ingest.cells import read_cell
from rollcall.graph.ingest.records import (
    ENTITY_COLUMNS,
    KNOWN_COLUMNS,
    RELATION_COLUMNS,
    SPLIT_COLUMNS,
    UNKNOWN,
    Record,
    column_names,
    is_neo4j,
    several,
    shape_of,
)
from rollcall.input_files.input_file import InputFile
from rollcall.query.values import Text
from rollcall.text.nouns import counted, is_plural, singular

_FACT = ("subject", "relation", "object")
_USUAL_NAMES: Mapping[str, tuple[str, ...]] = {
    "subject": ("subject", "head", "source", "s", "subj", "from", "start", "node1", "h", "entity1",
                "head_entity", "subject_id", "head_id", "source_id", "source_name", "head_name"),
    "relation": ("relation", "rel", "relationship", "p", "pred", "r", "edge", "link", "relation_type",
                 "relationship_type", "edge_type", "relation_name", "relation_id", "predicate_id", "label",
                 "class"),
    "object": ("object", "tail", "target", "o", "obj", "to", "end", "node2", "t", "entity2", "tail_entity",
               "object_id", "tail_id", "target_id", "target_name", "tail_name", "value"),
}  # fmt: skip
"""What tools call the parts of a fact, best first. A column `type` is called `class` by now."""
_FEWEST_ROWS = 2
_QUOTED = re.compile(r"""\s*(["'])(?P<word>[^"']+)\1\s*""")
_SHARED: Mapping[str, tuple[str, ...]] = {"entities": ("types",), "facts": ("relation",), "types": ("class",)}
"""What may be the same in all rows of a table, by what the table holds."""
_RELATION_PREFIXES = tuple(f"{name}:" for name in RELATION_COLUMNS)


class Layout(msgspec.Struct, frozen=True):
    """The columns of a file in our terms, in the file's order, and what they hold."""

    columns: tuple[str, ...]
    shape: str
    header: bool = True
    """Whether the first line names the columns."""
    remark: str = ""
    """What was guessed, in words."""
    shared: tuple[tuple[str, str], ...] = ()
    """Columns of ours that the file lacks, and what each row holds there."""
    copies: tuple[tuple[str, str], ...] = ()
    """Further columns of ours, and the one that holds the same: `id=element,label=element`."""
    links: tuple[tuple[str, str, str], ...] = ()
    """For each column that names entities: what it is called here (`id`, or the relation; empty for the
    objects of facts), the class of the entities, and the file whose ids they are; both may be empty."""
    comma_columns: tuple[str, ...] = ()
    """The columns whose cells have commas between several names."""


class UnknownColumnsError(RollcallError):
    """The headings of a file do not say what its columns hold."""

    def __init__(self, problem: str, hint: str, proposal: str = "", table: str = "") -> None:
        """`proposal` is what --columns may say of `table`, with one thing a row, from its first rows."""
        example = proposal or "id=ID,label=NAME,types=KIND,object=MAKER,value=WEIGHT"
        advice = "try this, guessed from the first rows:" if proposal else "give"
        super().__init__(
            f"{problem}; {hint}; if each row is about one thing, {advice} --columns {_quoted(example)}"
        )
        self.problem, self.hint, self.proposal, self.table = problem, hint, proposal, table


def layout_of(
    header: Sequence[str],
    columns: str = "",
    rows: Sequence[Sequence[str]] = (),
    propose: Callable[[], str] = str,
) -> Layout | RollcallError:
    """The layout of a file with this first line, or why it has none.

    `columns` is what the user says of them; `rows` are the first rows, the first line included, of a file
    that may have no header; `propose` gives an example of `columns` for this file.
    """
    names = tuple(name.strip().strip("\ufeff").strip('"') for name in header)
    if columns.strip():
        return _given_layout(names, columns)
    ours = column_names(names)
    if shape := shape_of(ours):
        return Layout(ours, shape, remark=_left_out(names, ours, shape))
    if is_neo4j(names):
        return Layout(names, "neo4j")
    if (guessed := _guessed(ours)) is not None:
        return guessed
    if (bare := _without_header(rows)) is not None:
        return bare
    if not all(name.isprintable() for name in names):
        return RollcallError("is not text: its first line has signs that no name of a column has")
    shown = ", ".join(name[:40] for name in names[:12])
    proposal = propose()
    return UnknownColumnsError(f"has the columns {shown}", _hint(names), proposal)


def _given_layout(names: tuple[str, ...], columns: str) -> Layout | RollcallError:
    """The layout that the user gives: `subject=head,…`, or `subject,…` for columns without names."""
    parts = _parts(columns, names)
    if not any("=" in part for part in parts):
        return _by_place(names, parts)
    pairs = [tuple(part.split("=", 1)) for part in parts if "=" in part]
    if len(pairs) < len(parts):
        return RollcallError("--columns: either name all columns in order, or write OURS=THEIRS for each")
    present = {name.lower() for name in names}
    roles, shared = list[_Role](), dict[str, str]()
    for our, name in pairs:
        match = _QUOTED.fullmatch(name)
        if match is None or name.strip().lower() in present:
            roles.append(_role(our.strip(), name.strip(), present))
        else:
            shared[column_names([our])[0]] = match["word"].strip()
    lacking = [(role.ours, role.theirs) for role in roles if role.theirs.lower() not in present]
    if lacking and len(lacking) == len(roles) and shape_of(column_names(names)):
        return Layout(column_names(names), str(shape_of(column_names(names))))  # they are another file's
    if lacking:
        return _no_column(names, lacking)
    # A column that the user does not name must not pass for one that is named.
    used = {*(role.ours.lower() for role in roles), *shared}
    roles_of: dict[str, list[str]] = {}
    links = []
    for role in roles:
        heading = next(name for name in names if name.lower() == role.theirs.lower())
        ours_here = _full_role(role.ours, heading, "id" in used)
        roles_of.setdefault(role.theirs.lower(), []).append(ours_here)
        if role.ours.lower() == "object" or role.table:
            links.append(
                (ours_here.partition(":")[2] or ("id" if ours_here == "id" else ""), role.class_, role.table)
            )
    ours = tuple(
        roles_of[name.lower()][0]
        if name.lower() in roles_of
        else _full_role(_other(name, used), name, "id" in used)
        for name in names
    )
    copies = tuple(
        (further, first)
        for first, *others in roles_of.values()
        for further in dict.fromkeys(others)
        if further != first
    )
    shape = shape_of([*ours, *shared, *(further for further, _ in copies)])
    if shape is None:
        names_given = ", ".join(dict.fromkeys(our.strip() for our, _ in pairs))
        return RollcallError(f"--columns gives {names_given}; expected some of {KNOWN_COLUMNS}")
    if shape == "entities":
        for our, name in pairs:
            if column_names([our])[0] not in {*ENTITY_COLUMNS, *RELATION_COLUMNS, *_SHARED["entities"]}:
                known = sorted(ENTITY_COLUMNS)
                return RollcallError(
                    f"--columns {our}={name} says nothing about a table of entities; expected one of "
                    f"{', '.join(known)}, object, value{nearest(our, known)}"
                )
    for our, word in shared.items():
        if our not in _SHARED.get(shape, ()):
            return RollcallError(f'--columns: {our}="{word}" says nothing about a table of {shape}')
    return Layout(
        ours,
        shape,
        remark=_left_out(names, ours, shape),
        shared=tuple(shared.items()),
        copies=copies,
        links=tuple(links),
    )


def _parts(columns: str, names: Sequence[str]) -> list[str]:
    """What the user says of each column; a heading may have commas itself: `value=Length, ft`."""
    parts = list[str]()
    headings = {name.lower() for name in names if "," in name}
    for pair in re.split(r",(?=[^,]*=)", columns):
        pieces = pair.split(",")
        count = len(pieces)
        while count > 1 and not any(
            re.search(rf"[=:]\s*{re.escape(heading)}\s*(@.*)?$", ",".join(pieces[:count]).lower())
            for heading in headings
        ):
            count -= 1
        parts += [piece.strip() for piece in (",".join(pieces[:count]), *pieces[count:])]
    return parts


class _Role(NamedTuple):
    """What the user says of a column: `object=country:discovered in`, `object=supplier@suppliers.csv`."""

    ours: str
    theirs: str
    class_: str = ""
    """The class of what its cells name."""
    table: str = ""
    """The file whose ids its cells hold."""


def _role(ours: str, text: str, present: Collection[str]) -> _Role:
    """A column as the user writes it; a heading that has the signs itself is taken as it is."""
    if text.lower() in present or ours.lower() not in ("object", "id"):
        return _Role(ours, text)
    before, at, table = (part.strip() for part in text.rpartition("@"))
    for heading, file in ((text, ""), *([(before, table)] if at else [])):
        if heading.lower() in present:
            return _Role(ours, heading, table=file)
        class_, colon, rest = (part.strip() for part in heading.partition(":"))
        if ours.lower() == "object" and class_ and colon and rest.lower() in present:
            return _Role(ours, rest, class_, file)
    return _Role(ours, text)


def _full_role(ours: str, heading: str, has_id: bool) -> str:
    """The name of a column in our terms: in a table with one thing a row, a relation has its heading."""
    if has_id and ours.lower() in RELATION_COLUMNS:
        return f"{ours.lower()}:{heading}"
    return column_names([ours])[0]


def _no_column(names: Sequence[str], lacking: Sequence[tuple[str, str]]) -> RollcallError:
    """Why columns that the user names are none, and what may be meant."""
    our, name = lacking[0]
    missing = " nor ".join(name for _, name in lacking)
    hint = nearest(name.partition("@")[0], [column[:40] for column in names[:12]])
    if any(our.lower() in columns for columns in _SHARED.values()):
        hint += f'; if all rows have it, quote it: {our}="{name}"'
    return RollcallError(f"has no column {missing}, which --columns names{hint}")


def _left_out(names: Sequence[str], ours: Sequence[str], shape: str) -> str:
    """What is said of columns of a table of entities that no option names, because their facts are lost."""
    if shape != "entities":
        return ""
    others = [
        name
        for name, our in zip(names, ours, strict=True)
        if our not in ENTITY_COLUMNS and not our.startswith(_RELATION_PREFIXES)
    ]
    if not others:
        return ""
    shown = ", ".join(name[:40] for name in others[:12])
    return (
        f"left out the column{'s' if others[1:] else ''} {shown}; --columns id=…,object={others[0]} reads it "
        f"as a relation to entities, value={others[0]} as one to figures, dates and texts"
    )


def _other(name: str, used: set[str]) -> str:
    (ours,) = column_names([name])
    return f"{name} (not named by --columns)" if ours in used else name


def _by_place(names: tuple[str, ...], parts: list[str]) -> Layout | RollcallError:
    if len(parts) != len(names):
        return RollcallError(
            f"--columns names {counted(len(parts), 'column')}, and the first line has {len(names)}"
        )
    if is_neo4j(parts):
        return Layout(tuple(parts), "neo4j", header=False)
    ours = column_names(parts)
    shape = shape_of(ours)
    if shape is None:
        return RollcallError(f"--columns gives {', '.join(parts)}; expected some of {KNOWN_COLUMNS}")
    return Layout(ours, shape, header=False)


def _guessed(ours: tuple[str, ...]) -> Layout | None:
    """Facts under names that other tools give their parts."""
    name_of: dict[str, str] = {}
    for part, usual in _USUAL_NAMES.items():
        name = next((name for name in usual if name in ours and name not in name_of), None)
        if name is None or ours.count(name) > 1:
            return None
        name_of[name] = part
    columns = tuple(name_of.get(name, name if name not in _FACT else f"other {name}") for name in ours)
    read = ", ".join(f"{name} as {part}" for name, part in name_of.items() if name != part)
    return Layout(columns, "facts", remark=f"read {read}; --columns says otherwise")


def _without_header(rows: Sequence[Sequence[str]]) -> Layout | None:
    """Three columns of names whose middle one repeats itself, as relations do, the first line included."""
    if len(rows) < _FEWEST_ROWS or any(len(row) != len(_FACT) or not all(row) for row in rows):
        return None
    first, *others = [row[1] for row in rows]
    distinct = [len({row[column] for row in rows}) for column in range(len(_FACT))]
    if first not in others or distinct[1] > min(distinct[0], distinct[2]):
        return None
    return Layout(
        _FACT,
        "facts",
        header=False,
        remark="no header: it looks like three columns of names, read as subject, relation, object",
    )


def _hint(names: Sequence[str]) -> str:
    if len(names) == len(_FACT):
        pairs = ",".join(f"{ours}={theirs}" for ours, theirs in zip(_FACT, names, strict=True))
        return (
            f"no header? it looks like three columns of names: --columns {','.join(_FACT)} reads them; if "
            f"the first line names the columns, --columns {_quoted(pairs)} says what they are"
        )
    return (
        "if each row is a fact, --columns subject=HEAD,relation=REL,object=TAIL says which columns hold what"
    )


def _quoted(text: str) -> str:
    return shlex.quote(text) if re.search(r"[\s'\"()&;|$]", text) else text


# What --columns may say of a table with one thing a row, guessed from its headings and first rows. It is
# shown to the user and never applied by itself.

_NAME_HEADINGS = ("name", "label", "title")
_ALIAS_HEADINGS = frozenset((
    "alias", "aliases", "aka", "also known as", "synonym", "synonyms", "other name", "other names", "symbol",
    "abbreviation", "acronym", "short name", "nickname", "nicknames", "latin name", "scientific name",
))  # fmt: skip
_KIND_HEADINGS = ("kind", "type", "class", "types", "classes", "kinds")
_NO_KINDS = (*_NAME_HEADINGS, "id", "no", "nr", "number", "code", "key", "index", "item", "entry", "row")
"""Headings of ids and names that do not say what the rows are."""
_PARTS_OF_NAMES = frozenset((
    "first", "last", "given", "family", "middle", "user", "file", "host", "domain", "brand", "maiden",
))  # fmt: skip
"""Begin headings of names that do not tell what a row is about: `First name`."""
_LONGEST_NAME = 60
"""In characters, on average: longer cells are descriptions."""
_MOST_KINDS = 0.5
"""How many different cells a column of kinds has at most, for each row."""
_NEARLY_ALL = 0.9


class _Column(NamedTuple):
    """The first cells of a column, without empty ones."""

    heading: str
    cells: list[str]
    rows: int

    @property
    def words(self) -> str:
        return re.sub(r"[\s_-]+", " ", self.heading).strip().lower()

    def share(self, holds: Callable[[str], object]) -> float:
        return sum(map(bool, map(holds, self.cells))) / len(self.cells)

    @property
    def is_titled(self) -> bool:
        """Whether the heading says that the cells are the names of what the rows are: `Ship's name`."""
        words = self.words.split() or [""]
        return (
            words[-1] in _NAME_HEADINGS
            and words[0] not in _PARTS_OF_NAMES
            and self.words not in _ALIAS_HEADINGS
        )

    @property
    def is_unique(self) -> bool:
        return len(self.cells) == self.rows == len(set(self.cells))

    @property
    def is_name(self) -> bool:
        short = sum(map(len, self.cells)) <= _LONGEST_NAME * len(self.cells)
        return short and self.share(lambda cell: re.search(r"[^\W\d_]", cell)) >= _NEARLY_ALL

    @property
    def is_value(self) -> bool:
        return self.share(lambda cell: not isinstance(read_cell(cell), Text)) >= _NEARLY_ALL

    @property
    def has_digits(self) -> bool:
        """Whether the cells are figures or dates, though some may be understood only as texts."""
        return self.share(lambda cell: len(cell) <= _LONGEST_NAME and re.search(r"\d", cell)) >= _NEARLY_ALL

    @property
    def is_address(self) -> bool:
        return self.share(lambda cell: re.match(r"\w+://|www\.|\S+@\S+\.\w+$", cell)) >= _NEARLY_ALL


def proposed_columns(header: Sequence[str], rows: Sequence[Sequence[object]], table: str = "") -> str:
    """What --columns may say of a table with one thing a row; empty if no column tells the rows apart."""
    columns = []
    for position, heading in enumerate(header):
        cells = [row[position] for row in rows if position < len(row)]
        texts = [_cell_text(cell) for cell in cells]
        known = [text for text in texts if text and not UNKNOWN.fullmatch(text)]
        column = _Column(heading.strip(), known, len(rows))
        if column.cells and column.heading and not re.search(r"[=\n]", heading):
            columns.append(column)
    unique = [column for column in columns if column.is_unique]
    names = [column for column in columns if column.is_name and not column.is_value and not column.is_address]
    named = [column for column in names if column.words in _NAME_HEADINGS]
    titled = [column for column in names if column in unique and column.is_titled]
    keys = [column for column in unique if column.words == "id" or column.words.endswith(" id")]
    told_apart = [column for column in names if column in unique]
    id_ = next(iter([*keys, *(column for column in named if column in unique), *told_apart]), None)
    if id_ is None or len(rows) < _FEWEST_ROWS:
        return ""
    label = next(iter([*named, *titled, *([id_] if id_ in names else []), *told_apart]), id_)
    kinds = [column for column in names if column.words in _KIND_HEADINGS and _has_few(column)]
    kind = next((column for column in kinds if column is not label), None)
    parts = [f"id={id_.heading}", f"label={label.heading}"]
    if kind is not None:
        parts.append(f"types={kind.heading}")
    elif noun := _noun_of_rows(label, table):
        parts.append(f'types="{noun}"')
    for column in columns:
        if column in (id_, label, kind) or column.is_address:
            continue
        if column.words in _ALIAS_HEADINGS:
            parts.append(f"aliases={column.heading}")
        elif column.words == "description":
            parts.append(f"description={column.heading}")
        elif column.is_value:
            parts.append(f"value={column.heading}")
        elif column.is_name:
            parts.append(f"object={column.heading}")
        elif column.has_digits:
            parts.append(f"value={column.heading}")
    return ",".join(parts)


def _cell_text(cell: object) -> str:
    """A cell as a table of text has it: a list as the names between bars."""
    if isinstance(cell, list):
        return "|".join(_cell_text(part) for part in cell)
    return "" if cell is None or isinstance(cell, dict) else str(cell).strip()


def _has_few(column: _Column) -> bool:
    return len(set(column.cells)) <= max(1, _MOST_KINDS * len(column.cells))


def _noun_of_rows(label: _Column, table: str) -> str:
    """What the rows are, by the heading of their names or the name of the file; empty if neither says it."""
    words = re.sub(r"(['’]s)? (name|label|title)$", "", label.words)
    if words not in _NO_KINDS and re.fullmatch(r"[a-z]+( [a-z]+)?", words):
        return singular(words)
    stem = table.partition(".")[0].lower()
    return singular(stem) if re.fullmatch(r"[a-z]+", stem) and is_plural(stem) else ""


# The options of the sources that hold rows, and the layout of a file with them.

_FILE = re.compile(r"[^:=,@]+\.\w+")
_FOR_ONE_FILE = re.compile(r"\s*(?P<file>[^:=,]+\.\w+)\s*:(?P<columns>.*)")


class RowOptions(msgspec.Struct, frozen=True):
    columns: str = ""
    """Which columns hold what: subject=head,relation=rel,object=tail; or, if the file has no header, the
    names of all columns in order. A quoted word, types="artist", is the same in all rows;
    object=country:found in gives the class of what a column names, object=maker@makers.csv the file
    whose ids it holds. What follows a file's name and a colon is for that file alone."""
    commas: Literal["auto", "separate", "keep"] = "auto"
    """Whether commas separate several names in cells of aliases, objects and types, as | and ; do; auto
    looks whether most parts are names that stand alone in the column, or ids or labels."""


class CsvOptions(RowOptions, frozen=True):
    decimal: Literal["auto", "comma", "point"] = "auto"
    """Whether numbers have a decimal comma (1.234,5) or a decimal point (1,234.5); auto looks at the cells
    where semicolons separate them, and takes a point otherwise."""


def columns_of(name: str, columns: str) -> str:
    """What is said of the columns of the file with this name: its own lines, else the lines for all files."""
    general, own_lines = list[str](), list[str]()
    for line in columns.splitlines():
        match = _FOR_ONE_FILE.match(line)
        if match is None:
            general.append(line)
        elif match["file"] == name:
            own_lines.append(match["columns"])
    return ",".join(own_lines or general)


def check_files(columns: str, names: Sequence[str]) -> None:
    """Refuse columns that are said to be those of a file that is not among the sources."""
    for line in columns.splitlines():
        match = _FOR_ONE_FILE.match(line)
        if match is not None and match["file"] not in names:
            raise RollcallError(f"--columns names {match['file']}, and the files are {', '.join(names)}")


def optional_keys(name: str, columns: str, keys: Sequence[str], content: bytes) -> list[str]:
    """The columns of a table of entities that a record may lack, as JSON leaves out what is unknown.

    `content` is the beginning of the file, in which a key with a colon or an `@` may be seen as it is.
    """
    pairs = [part.split("=", 1) for part in _parts(columns_of(name, columns), keys) if "=" in part]
    if not any(ours.strip() == "id" for ours, _ in pairs):
        return []
    present = {key.strip().lower() for key in keys}
    lacking = []
    for ours, text in pairs:
        if ours.strip() not in RELATION_COLUMNS or text.strip().lower() in present:
            continue
        before, _, table = text.strip().rpartition("@")
        shorter = before if _FILE.fullmatch(table) else text.strip()
        readings = (text.strip(), shorter.strip(), shorter.partition(":")[2].strip())
        if any(reading.lower() in present for reading in readings[1:] if reading):
            continue
        seen = [reading for reading in readings if f'"{reading}"'.encode() in content]
        lacking.append(next(iter(seen), readings[-1] or readings[1]))
    return lacking


def opened_layout(
    file: InputFile,
    header: Sequence[str],
    options: RowOptions,
    rows: Sequence[Sequence[str]] = (),
    records: Iterable[Record] = (),
) -> Layout:
    """The layout of a file; an error says what its columns are and how to name them.

    `rows` are the first rows, the first line included, of a file that may have no header; `records` are
    the first rows of a file that is not cut at separators, by its own names.
    """
    records = list(records)
    first: Sequence[Sequence[object]] = rows[1:]
    first = first or [[record.get(name) for name in header] for record in records]
    layout = layout_of(
        header,
        columns_of(file.name, options.columns),
        rows,
        lambda: proposed_columns(header, first, file.name),
    )
    if isinstance(layout, UnknownColumnsError):
        raise UnknownColumnsError(f"{file}: {layout.problem}", layout.hint, layout.proposal, file.name)
    if isinstance(layout, RollcallError):
        raise RollcallError(f"{file}: {layout}")
    cells: dict[str, list[object]] = {}
    positions = {name.strip().lower(): role for name, role in zip(header, layout.columns, strict=False)}
    for row in rows[1:] if layout.header else rows:
        for role, cell in zip(layout.columns, row, strict=False):
            cells.setdefault(role, []).append(cell)
    for record in records:
        for name, content in record.items():
            cells.setdefault(positions.get(name.strip().lower(), name), []).append(content)
    return msgspec.structs.replace(layout, comma_columns=_comma_columns(layout, cells, options.commas))


# Whether commas separate the names in a cell. `Paris, Texas` is one name, `Chile, China` may be two. What
# decides is whether most parts are names that stand alone elsewhere.

_FEWEST_LISTS = 2
"""One cell whose parts are names may be a coincidence."""
_MOST = 0.5


def _comma_columns(layout: Layout, cells: Mapping[str, Sequence[object]], commas: str) -> tuple[str, ...]:
    """The columns of a table of entities in whose cells commas separate names."""
    roles = [
        role for role in (*layout.columns, *(further for further, _ in layout.copies)) if _is_split(role)
    ]
    if layout.shape != "entities" or commas == "keep":
        return ()
    if commas == "separate":
        return tuple(dict.fromkeys(roles))
    source_of = dict(layout.copies)
    named = {
        str(cell).strip() for role in ("id", "label") for cell in cells.get(source_of.get(role, role), ())
    }
    return tuple(
        role for role in dict.fromkeys(roles) if _has_lists(cells.get(source_of.get(role, role), ()), named)
    )


def _is_split(role: str) -> bool:
    return role in SPLIT_COLUMNS or role.startswith("object:")


def _has_lists(cells: Sequence[object], named: Collection[str]) -> bool:
    """Whether most parts between the commas of a column's cells are names that stand alone elsewhere."""
    names = [name for cell in cells if isinstance(cell, str) for name in several(cell)]
    alone = {name for name in names if "," not in name}
    lists = [several(name, commas=True) for name in names if "," in name]
    parts = [part for parts in lists for part in parts]
    known = sum(part in alone or part in named for part in parts)
    return len(lists) >= _FEWEST_LISTS and known > _MOST * len(parts)

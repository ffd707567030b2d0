"""The studio's first tables."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


class FirstTable(NamedTuple):
    """A table as it was in this revision; several columns of a constraint are separated by spaces."""

    name: str
    columns: str
    """Each with its kind, a question mark if it may be empty, and the table whose id it has, if any."""
    key: tuple[str, ...] = ("id",)
    unique: tuple[str, ...] = ()
    indexes: Mapping[str, str] = MappingProxyType({})


_KINDS: dict[str, sa.types.TypeEngine[Any]] = {
    "int": sa.Integer(),
    "double": sa.Double(),
    "bool": sa.Boolean(),
    "text": sa.Text(),
    "json": sa.JSON(),
    "str64": sa.String(length=64),
    "str200": sa.String(length=200),
}
_TABLES = (
    FirstTable(
        "installation",
        "id int, secret str64, created double",
    ),
    FirstTable(
        "person",
        "id int, name str200, login str200, password text?, owner bool, active bool, created double",
        unique=("login",),
    ),
    FirstTable(
        "sign_in_failure",
        "id int, login str200, address str200, at double",
        indexes={
            "ix_sign_in_failure_address": "address",
            "ix_sign_in_failure_at": "at",
            "ix_sign_in_failure_login": "login",
        },
    ),
    FirstTable(
        "person_group",
        "person_id int person, name str200",
        key=("person_id", "name"),
    ),
    FirstTable(
        "project",
        "id int, name str200, title text, task str200, settings json, materials json, set_checksum "
        "str200, state str200, blind bool, hourly_rate double, currency str200, created double, "
        "created_by int? person",
        unique=("name",),
    ),
    FirstTable(
        "web_session",
        "token_hash str64, person_id int person, csrf str64, created double, seen double, expires double",
        key=("token_hash",),
        indexes={"ix_web_session_person_id": "person_id"},
    ),
    FirstTable(
        "audit_entry",
        "id int, at double, person_id int? person, project_id int? project, action str200, about text, "
        "address str200",
        indexes={"ix_audit_entry_at": "at", "ix_audit_entry_project_id": "project_id"},
    ),
    FirstTable(
        "invitation",
        "id int, token_hash str64, project_id int? project, role str200, owner bool, group str200, note "
        "str200, resets_id int? person, created_by int? person, created double, expires double, used_by "
        "int? person, used double?, withdrawn bool",
        unique=("token_hash",),
        indexes={"ix_invitation_project_id": "project_id"},
    ),
    FirstTable(
        "item",
        "id int, project_id int project, key str200, question text, stage str200, shown json, hidden "
        "json, place int, pool bool, injected bool, needed int, after str200, barred json, state str200, "
        "choice text?, why text, check str200",
        unique=("project_id key",),
        indexes={
            "ix_item_project_question": "project_id question",
            "ix_item_project_state": "project_id state",
        },
    ),
    FirstTable(
        "member",
        "id int, project_id int project, person_id int person, role str200, state str200, stopped_why "
        "text, done int, reviewed int, warned_at int, agreement double?, joined double",
        unique=("project_id person_id",),
        indexes={"ix_member_person_id": "person_id"},
    ),
    FirstTable(
        "question_state",
        "id int, project_id int project, question text, place int, state str200",
        unique=("project_id question",),
    ),
    FirstTable(
        "draft",
        "person_id int person, item_id int item, fields json, seconds double, at double",
        key=("person_id", "item_id"),
    ),
    FirstTable(
        "exclusion",
        "person_id int person, item_id int item, why text, at double",
        key=("person_id", "item_id"),
        indexes={"ix_exclusion_item_id": "item_id"},
    ),
    FirstTable(
        "reclaimed",
        "form_key str64, person_id int person, item_id int item, at double",
        key=("form_key",),
    ),
    FirstTable(
        "slot",
        "id int, project_id int project, item_id int item, number int, stage str200, place int, state "
        "str200, person_id int? person, form_key str64?, started double?, lease_until double?",
        unique=("form_key", "item_id number", "item_id person_id"),
        indexes={"ix_slot_free": "project_id state place", "ix_slot_person": "project_id person_id state"},
    ),
    FirstTable(
        "judgment",
        "id int, project_id int project, item_id int item, person_id int person, slot_id int? slot, "
        "form_key str64, role str200, choice text, given json, fields json, comment text, seconds double, "
        "at double, missed bool?, withdrawn str200",
        unique=("form_key", "slot_id"),
        indexes={"ix_judgment_item_id": "item_id", "ix_judgment_project_person": "project_id person_id id"},
    ),
    FirstTable(
        "inspection",
        "id int, project_id int project, person_id int person, batch int, judgment_id int judgment, wrong "
        "bool?, by int? person",
        unique=("judgment_id",),
        indexes={"ix_inspection_batch": "project_id person_id batch"},
    ),
)


def upgrade() -> None:
    for table in _TABLES:
        columns = [column.split() for column in table.columns.split(", ")]
        named: list[sa.Column[Any]] = [
            sa.Column(name, _KINDS[kind.rstrip("?")], nullable=kind.endswith("?"))
            for name, kind, *_ in columns
        ]
        keys = [
            sa.ForeignKeyConstraint([name], [f"{other[0]}.id"], name=op.f(f"fk_{table.name}_{name}"))
            for name, _, *other in sorted(columns)
            if other
        ]
        unique = [
            sa.UniqueConstraint(*names.split(), name=op.f("_".join(["uq", table.name, *names.split()])))
            for names in table.unique
        ]
        primary = sa.PrimaryKeyConstraint(*table.key, name=op.f(f"pk_{table.name}"))
        op.create_table(table.name, *named, *keys, primary, *unique)
        for index, names in table.indexes.items():
            op.create_index(index, table.name, names.split())
    counted = sa.text("withdrawn = ''")
    op.create_index(
        "uq_judgment_counted",
        "judgment",
        ["item_id", "person_id", "role"],
        unique=True,
        sqlite_where=counted,
        postgresql_where=counted,
    )


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table.name)

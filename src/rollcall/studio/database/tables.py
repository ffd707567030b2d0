"""The tables of the studio, with constraints on what must never happen, whatever the code does.

A slot is one of the judgments that an item asks for. An item has as many slots as judgments are wanted, each
slot belongs to at most one person, a person has at most one slot of an item, and a slot has at most one
judgment. So no item can be judged more often than asked, and no judgment can be stored twice (each carries
the key of the form it came with). Times are seconds since 1970, so that both databases compare them in the
same way.
"""

from typing import Any

from sqlalchemy import JSON, Double, ForeignKey, Index, MetaData, String, Text, UniqueConstraint, false, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

Json = dict[str, Any]
SHORT = String(200)
TOKEN = String(64)


class Base(DeclarativeBase):
    """All tables; constraints have names, which migrations need."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {float: Double, Json: JSON, str: Text}  # noqa: RUF012


class Installation(Base):
    """The one row about this installation: its secret, made with the database."""

    __tablename__ = "installation"
    id: Mapped[int] = mapped_column(primary_key=True)
    secret: Mapped[str] = mapped_column(TOKEN)
    created: Mapped[float]


class Person(Base):
    """A person who can sign in; an `owner` makes projects and manages all of them."""

    __tablename__ = "person"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(SHORT)
    login: Mapped[str] = mapped_column(SHORT, unique=True)
    """The name as it is compared: without regard to case."""
    password: Mapped[str | None]
    """The argon2 hash; without it the person cannot sign in by name."""
    owner: Mapped[bool] = mapped_column(default=False)
    active: Mapped[bool] = mapped_column(default=True)
    created: Mapped[float]
    counted_until: Mapped[float] = mapped_column(default=0.0, server_default=text("0"))
    """When time was last counted for this person, in any project: no second before it counts again."""


class PersonGroup(Base):
    """A group that a person belongs to."""

    __tablename__ = "person_group"
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), primary_key=True)
    name: Mapped[str] = mapped_column(SHORT, primary_key=True)


class Invitation(Base):
    """A link that lets one person join; only the hash of its token is kept."""

    __tablename__ = "invitation"
    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(TOKEN, unique=True)
    project_id: Mapped[int | None] = mapped_column(ForeignKey("project.id"), index=True)
    role: Mapped[str] = mapped_column(SHORT, default="annotator")
    owner: Mapped[bool] = mapped_column(default=False)
    group: Mapped[str] = mapped_column(SHORT, default="")
    note: Mapped[str] = mapped_column(SHORT, default="")
    """Whom it is for, as the manager wrote it."""
    resets_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    """The person who gets a new password, if that is all that the link is for."""
    created_by: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    created: Mapped[float]
    expires: Mapped[float]
    used_by: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    used: Mapped[float | None]
    withdrawn: Mapped[bool] = mapped_column(default=False)


class WebSession(Base):
    """A browser in which a person is signed in; only the hash of its token is kept."""

    __tablename__ = "web_session"
    token_hash: Mapped[str] = mapped_column(TOKEN, primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    csrf: Mapped[str] = mapped_column(TOKEN)
    created: Mapped[float]
    seen: Mapped[float]
    expires: Mapped[float]


class SignInFailure(Base):
    """A failed attempt to sign in, counted by name and by address."""

    __tablename__ = "sign_in_failure"
    id: Mapped[int] = mapped_column(primary_key=True)
    login: Mapped[str] = mapped_column(SHORT, index=True)
    address: Mapped[str] = mapped_column(SHORT, index=True)
    at: Mapped[float] = mapped_column(index=True)


class Project(Base):
    """A task on a set, with its settings."""

    __tablename__ = "project"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(SHORT, unique=True)
    """As in its address: lower-case letters, digits and hyphens."""
    title: Mapped[str]
    task: Mapped[str] = mapped_column(SHORT)
    settings: Mapped[Json]
    materials: Mapped[Json]
    """The paths of the set, and of the graph, corpus and runs, where the task needs them."""
    set_checksum: Mapped[str] = mapped_column(SHORT, default="")
    state: Mapped[str] = mapped_column(SHORT, default="open")
    """`open`, `paused` or `closed`."""
    blind: Mapped[bool] = mapped_column(default=True)
    hourly_rate: Mapped[float] = mapped_column(default=0.0)
    currency: Mapped[str] = mapped_column(SHORT, default="")
    created: Mapped[float]
    created_by: Mapped[int | None] = mapped_column(ForeignKey("person.id"))


class Member(Base):
    """A person in a project."""

    __tablename__ = "member"
    __table_args__ = (UniqueConstraint("project_id", "person_id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    role: Mapped[str] = mapped_column(SHORT, default="annotator")
    """`annotator` or `manager`."""
    state: Mapped[str] = mapped_column(SHORT, default="working")
    """`qualifying`, `working`, `warned`, `stopped` or `left`."""
    stopped_why: Mapped[str] = mapped_column(default="")
    done: Mapped[int] = mapped_column(default=0)
    """How many judgments this person stored here, without those undone."""
    reviewed: Mapped[int] = mapped_column(default=0)
    """`done` at the last review; what was reviewed cannot be undone."""
    warned_at: Mapped[int] = mapped_column(default=0)
    """The number of injected items that this person had judged when last warned, or resumed by a manager."""
    agreement: Mapped[float | None]
    """With others, as of the last review: between reviews it would tell others' judgments."""
    joined: Mapped[float]


class QuestionState(Base):
    """Where a question of a project stands: in the pool, asked, or dropped."""

    __tablename__ = "question_state"
    __table_args__ = (UniqueConstraint("project_id", "question"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    question: Mapped[str]
    place: Mapped[int]
    state: Mapped[str] = mapped_column(SHORT)
    """`pool`, `asked` or `dropped`."""


class ItemRow(Base):
    """An item of a project, and what its judgments came to."""

    __tablename__ = "item"
    __table_args__ = (
        UniqueConstraint("project_id", "key"),
        Index("ix_item_project_question", "project_id", "question"),
        Index("ix_item_project_state", "project_id", "state"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    key: Mapped[str] = mapped_column(SHORT)
    question: Mapped[str]
    stage: Mapped[str] = mapped_column(SHORT, default="judge")
    shown: Mapped[Json]
    hidden: Mapped[Json]
    place: Mapped[int]
    pool: Mapped[bool] = mapped_column(default=False)
    injected: Mapped[bool] = mapped_column(default=False)
    gold: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether its right verdict was given: later judgments of it count in people's records."""
    needed: Mapped[int]
    after: Mapped[str] = mapped_column(SHORT, default="")
    barred: Mapped[Json]
    """The names of those who may not judge it, under `names`: also of people who join later."""
    state: Mapped[str] = mapped_column(SHORT, default="open")
    choice: Mapped[str | None]
    why: Mapped[str] = mapped_column(default="")
    check: Mapped[str] = mapped_column(SHORT, default="")
    """A manager's check: empty, `wanted` or `done`."""


class Slot(Base):
    """One of the judgments that an item asks for: free, leased to a person, judged, or closed."""

    __tablename__ = "slot"
    __table_args__ = (
        UniqueConstraint("item_id", "number"),
        UniqueConstraint("item_id", "person_id"),
        Index("ix_slot_free", "project_id", "state", "place", "id"),
        Index("ix_slot_person", "project_id", "person_id", "state"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"))
    number: Mapped[int]
    stage: Mapped[str] = mapped_column(SHORT, default="judge")
    place: Mapped[int]
    state: Mapped[str] = mapped_column(SHORT, default="free")
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    form_key: Mapped[str | None] = mapped_column(TOKEN, unique=True)
    started: Mapped[float | None]
    lease_until: Mapped[float | None]


class SavedJudgment(Base):
    """What a person said about an item; never deleted, only withdrawn."""

    __tablename__ = "judgment"
    __table_args__ = (
        Index("ix_judgment_project_person", "project_id", "person_id", "id"),
        Index(
            "uq_judgment_counted",
            "item_id",
            "person_id",
            "role",
            unique=True,
            sqlite_where=text("withdrawn = ''"),
            postgresql_where=text("withdrawn = ''"),
        ),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    slot_id: Mapped[int | None] = mapped_column(ForeignKey("slot.id"), unique=True)
    """The slot that it fills; none once it is withdrawn, and none for what a manager says."""
    form_key: Mapped[str] = mapped_column(TOKEN, unique=True)
    role: Mapped[str] = mapped_column(SHORT, default="annotator")
    choice: Mapped[str]
    given: Mapped[Json]
    """The values of the verdict."""
    fields: Mapped[Json]
    """The form as it was sent, from which the screen is filled again after an undo."""
    comment: Mapped[str] = mapped_column(default="")
    seconds: Mapped[float]
    at: Mapped[float]
    missed: Mapped[bool | None]
    withdrawn: Mapped[str] = mapped_column(SHORT, default="")
    """Why it no longer counts: empty, `undone`, `stopped`, `inspected`, `late` or `judged anew`."""


class Draft(Base):
    """A half-filled form, kept until it is sent."""

    __tablename__ = "draft"
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), primary_key=True)
    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"), primary_key=True)
    fields: Mapped[Json]
    seconds: Mapped[float]
    """The time that its person worked on the item until then."""
    at: Mapped[float]
    """When that was last counted, or the item was handed out again since."""


class Exclusion(Base):
    """An item that a person is not given: skipped, or barred from it."""

    __tablename__ = "exclusion"
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), primary_key=True)
    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"), primary_key=True, index=True)
    why: Mapped[str]
    at: Mapped[float]


class Reclaimed(Base):
    """A form whose slot was given to others because its person was away; it may still be sent."""

    __tablename__ = "reclaimed"
    form_key: Mapped[str] = mapped_column(TOKEN, primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"))
    started: Mapped[float | None]
    """When the item was handed out; older versions did not keep it."""
    at: Mapped[float]


class Inspection(Base):
    """A judgment that a manager inspects, one of a few of each worker's batch."""

    __tablename__ = "inspection"
    __table_args__ = (Index("ix_inspection_batch", "project_id", "person_id", "batch"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    batch: Mapped[int]
    judgment_id: Mapped[int] = mapped_column(ForeignKey("judgment.id"), unique=True)
    wrong: Mapped[bool | None]
    by: Mapped[int | None] = mapped_column(ForeignKey("person.id"))


class AuditEntry(Base):
    """Who did what, and when."""

    __tablename__ = "audit_entry"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float] = mapped_column(index=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    project_id: Mapped[int | None] = mapped_column(ForeignKey("project.id"), index=True)
    action: Mapped[str] = mapped_column(SHORT)
    about: Mapped[str]
    address: Mapped[str] = mapped_column(SHORT, default="")

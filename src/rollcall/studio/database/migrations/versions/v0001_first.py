"""The studio's first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("login", sa.String(length=200), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("owner", sa.Boolean(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("login", name=op.f("uq_person_login")),
    )
    op.create_table(
        "sign_in_failure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("login", sa.String(length=200), nullable=False),
        sa.Column("address", sa.String(length=200), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_failure")),
    )
    with op.batch_alter_table("sign_in_failure", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_in_failure_address"), ["address"], unique=False)
        batch_op.create_index(batch_op.f("ix_sign_in_failure_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_sign_in_failure_login"), ["login"], unique=False)

    op.create_table(
        "person_group",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_person_group_person_id")),
        sa.PrimaryKeyConstraint("person_id", "name", name=op.f("pk_person_group")),
    )
    op.create_table(
        "project",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("task", sa.String(length=200), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("materials", sa.JSON(), nullable=False),
        sa.Column("set_checksum", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=200), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("hourly_rate", sa.Double(), nullable=False),
        sa.Column("currency", sa.String(length=200), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("created_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name=op.f("fk_project_created_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sa.UniqueConstraint("name", name=op.f("uq_project_name")),
    )
    op.create_table(
        "web_session",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("csrf", sa.String(length=64), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_web_session_person_id")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_web_session")),
    )
    with op.batch_alter_table("web_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_web_session_person_id"), ["person_id"], unique=False)

    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(length=200), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("address", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_audit_entry_person_id")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_audit_entry_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    with op.batch_alter_table("audit_entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_entry_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_audit_entry_project_id"), ["project_id"], unique=False)

    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(length=200), nullable=False),
        sa.Column("owner", sa.Boolean(), nullable=False),
        sa.Column("group", sa.String(length=200), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=False),
        sa.Column("resets_id", sa.Integer(), nullable=True),
        sa.Column("created_by", sa.Integer(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("used_by", sa.Integer(), nullable=True),
        sa.Column("used", sa.Double(), nullable=True),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name=op.f("fk_invitation_created_by")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_invitation_project_id")),
        sa.ForeignKeyConstraint(["resets_id"], ["person.id"], name=op.f("fk_invitation_resets_id")),
        sa.ForeignKeyConstraint(["used_by"], ["person.id"], name=op.f("fk_invitation_used_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitation_token_hash")),
    )
    with op.batch_alter_table("invitation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_invitation_project_id"), ["project_id"], unique=False)

    op.create_table(
        "item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("stage", sa.String(length=200), nullable=False),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.Column("hidden", sa.JSON(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("pool", sa.Boolean(), nullable=False),
        sa.Column("injected", sa.Boolean(), nullable=False),
        sa.Column("needed", sa.Integer(), nullable=False),
        sa.Column("after", sa.String(length=200), nullable=False),
        sa.Column("barred", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=200), nullable=False),
        sa.Column("choice", sa.Text(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("check", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_item_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item")),
        sa.UniqueConstraint("project_id", "key", name=op.f("uq_item_project_id_key")),
    )
    with op.batch_alter_table("item", schema=None) as batch_op:
        batch_op.create_index("ix_item_project_question", ["project_id", "question"], unique=False)
        batch_op.create_index("ix_item_project_state", ["project_id", "state"], unique=False)

    op.create_table(
        "member",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=200), nullable=False),
        sa.Column("stopped_why", sa.Text(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("reviewed", sa.Integer(), nullable=False),
        sa.Column("warned_at", sa.Integer(), nullable=False),
        sa.Column("agreement", sa.Double(), nullable=True),
        sa.Column("joined", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_member_person_id")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_member_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_member")),
        sa.UniqueConstraint("project_id", "person_id", name=op.f("uq_member_project_id_person_id")),
    )
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_member_person_id"), ["person_id"], unique=False)

    op.create_table(
        "question_state",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_question_state_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_state")),
        sa.UniqueConstraint("project_id", "question", name=op.f("uq_question_state_project_id_question")),
    )
    op.create_table(
        "draft",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_draft_item_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_draft_person_id")),
        sa.PrimaryKeyConstraint("person_id", "item_id", name=op.f("pk_draft")),
    )
    op.create_table(
        "exclusion",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_exclusion_item_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_exclusion_person_id")),
        sa.PrimaryKeyConstraint("person_id", "item_id", name=op.f("pk_exclusion")),
    )
    with op.batch_alter_table("exclusion", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_exclusion_item_id"), ["item_id"], unique=False)

    op.create_table(
        "reclaimed",
        sa.Column("form_key", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_reclaimed_item_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_reclaimed_person_id")),
        sa.PrimaryKeyConstraint("form_key", name=op.f("pk_reclaimed")),
    )
    op.create_table(
        "slot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=200), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=200), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("form_key", sa.String(length=64), nullable=True),
        sa.Column("started", sa.Double(), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_slot_item_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_slot_person_id")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_slot_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slot")),
        sa.UniqueConstraint("form_key", name=op.f("uq_slot_form_key")),
        sa.UniqueConstraint("item_id", "number", name=op.f("uq_slot_item_id_number")),
        sa.UniqueConstraint("item_id", "person_id", name=op.f("uq_slot_item_id_person_id")),
    )
    with op.batch_alter_table("slot", schema=None) as batch_op:
        batch_op.create_index("ix_slot_free", ["project_id", "state", "place"], unique=False)
        batch_op.create_index("ix_slot_person", ["project_id", "person_id", "state"], unique=False)

    op.create_table(
        "judgment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("slot_id", sa.Integer(), nullable=True),
        sa.Column("form_key", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=200), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("missed", sa.Boolean(), nullable=True),
        sa.Column("withdrawn", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_judgment_item_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_judgment_person_id")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_judgment_project_id")),
        sa.ForeignKeyConstraint(["slot_id"], ["slot.id"], name=op.f("fk_judgment_slot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgment")),
        sa.UniqueConstraint("form_key", name=op.f("uq_judgment_form_key")),
        sa.UniqueConstraint("slot_id", name=op.f("uq_judgment_slot_id")),
    )
    with op.batch_alter_table("judgment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_judgment_item_id"), ["item_id"], unique=False)
        batch_op.create_index("ix_judgment_project_person", ["project_id", "person_id", "id"], unique=False)
        batch_op.create_index(
            "uq_judgment_counted",
            ["item_id", "person_id", "role"],
            unique=True,
            sqlite_where=sa.text("withdrawn = ''"),
            postgresql_where=sa.text("withdrawn = ''"),
        )

    op.create_table(
        "inspection",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("judgment_id", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Boolean(), nullable=True),
        sa.Column("by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["by"], ["person.id"], name=op.f("fk_inspection_by")),
        sa.ForeignKeyConstraint(["judgment_id"], ["judgment.id"], name=op.f("fk_inspection_judgment_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_inspection_person_id")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_inspection_project_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inspection")),
        sa.UniqueConstraint("judgment_id", name=op.f("uq_inspection_judgment_id")),
    )
    with op.batch_alter_table("inspection", schema=None) as batch_op:
        batch_op.create_index("ix_inspection_batch", ["project_id", "person_id", "batch"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("inspection", schema=None) as batch_op:
        batch_op.drop_index("ix_inspection_batch")

    op.drop_table("inspection")
    with op.batch_alter_table("judgment", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_judgment_counted",
            sqlite_where=sa.text("withdrawn = ''"),
            postgresql_where=sa.text("withdrawn = ''"),
        )
        batch_op.drop_index("ix_judgment_project_person")
        batch_op.drop_index(batch_op.f("ix_judgment_item_id"))

    op.drop_table("judgment")
    with op.batch_alter_table("slot", schema=None) as batch_op:
        batch_op.drop_index("ix_slot_person")
        batch_op.drop_index("ix_slot_free")

    op.drop_table("slot")
    op.drop_table("reclaimed")
    with op.batch_alter_table("exclusion", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_exclusion_item_id"))

    op.drop_table("exclusion")
    op.drop_table("draft")
    op.drop_table("question_state")
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_member_person_id"))

    op.drop_table("member")
    with op.batch_alter_table("item", schema=None) as batch_op:
        batch_op.drop_index("ix_item_project_state")
        batch_op.drop_index("ix_item_project_question")

    op.drop_table("item")
    with op.batch_alter_table("invitation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_invitation_project_id"))

    op.drop_table("invitation")
    with op.batch_alter_table("audit_entry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audit_entry_project_id"))
        batch_op.drop_index(batch_op.f("ix_audit_entry_at"))

    op.drop_table("audit_entry")
    with op.batch_alter_table("web_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_web_session_person_id"))

    op.drop_table("web_session")
    op.drop_table("project")
    op.drop_table("person_group")
    with op.batch_alter_table("sign_in_failure", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_in_failure_login"))
        batch_op.drop_index(batch_op.f("ix_sign_in_failure_at"))
        batch_op.drop_index(batch_op.f("ix_sign_in_failure_address"))

    op.drop_table("sign_in_failure")
    op.drop_table("person")
    op.drop_table("installation")

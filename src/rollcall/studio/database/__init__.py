"""The studio's database: its tables, its transactions on SQLite and PostgreSQL, and its migrations."""

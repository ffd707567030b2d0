"""What Spark and Sail share: sessions, tables in Spark's dialect of SQL, and Python functions as tasks."""

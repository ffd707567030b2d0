"""The version of Rollcall; outputs record it, and a build of another version is redone."""

__version__ = "0.1.0"

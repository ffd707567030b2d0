"""The version of Rollcall; outputs record it, and a build made by another version is repeated."""

__version__ = "0.2.0"

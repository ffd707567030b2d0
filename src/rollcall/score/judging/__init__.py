"""Judging by a language model, for profiles whose published scorer asks one."""

"""The figures of a project: how far people agree, what is known of each, how far the work is, what it came
to.

Everything here reads one `Collected`, all that a project has, and writes nothing; pages, reports and the
export show the same figures because they call the same functions.
"""

"""What leaves the studio: new versions of sets, judgments as files, figures of the papers, Label Studio's
files.

`new_version` applies what people decided to a set, and keeps every verdict in it (`trace`); `effects` has
what each task changes; `judgments` writes everything that was said; `label_studio` exchanges tasks and
annotations.
"""

"""Writes every page that is made from the code; needs tests/support on the path: `make pages` says how."""

import audit_docs
import public_names
import reference_pages
import table_docs
from places import ROOT

for name, rendered in reference_pages.PAGES.items():
    (ROOT / "docs" / name).write_text(rendered(), encoding="utf-8")
public_names.DOCUMENT.write_text(public_names.rendered(), encoding="utf-8")
table_docs.DOCUMENT.write_text(table_docs.rendered(), encoding="utf-8")
audit_docs.DOCUMENT.write_text(audit_docs.written(audit_docs.DOCUMENT.read_text("utf-8")), encoding="utf-8")

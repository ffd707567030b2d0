"""Reading any question set: search, filters by characteristic, one question with all that belongs to it,
runs.

`index` holds what is searched and filtered, and leaves questions on disk; `finding` searches; `reading`
makes the page of a question; `comparing` sets runs side by side. None of it knows of the web.
"""

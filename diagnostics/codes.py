"""Every error code with its one-line title; a diagnostic's code is one of these.

E01xx notation: syntax · E02xx indices and sizes · E03xx planning · E04xx tensor language and YATeTo language ·
E05xx arguments at launch · E06xx device
"""

TITLES: dict[str, str] = {
    # -- the tensor language as text ---
    "E0401": "the text does not follow the grammar of the tensor language",
    "E0402": "a bracket is never closed",
    "E0403": "no instruction of the tensor language has this name",
    "E0404": "a number is out of range",
    "E0405": "a type is malformed",
    "E0406": "a fact about an argument is malformed",
    "E0407": "a function attribute is given twice",
    "E0408": "an edition of the tensor language cannot express this",
}

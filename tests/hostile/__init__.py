"""Files that nobody would write in good faith: no traceback, no flood of memory, no endless work."""

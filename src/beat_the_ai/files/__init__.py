"""Reading what others have written: bytes to records with file and line, ids, answers, and folders of parts."""

"""The suite's own programs, forked from a process that has imported what they import: a start costs a tenth.

`template` is that process, `starts` decides which programs come from it. Each is a true child of its starter: it has
its own arguments, environment, files, folder, session and signals, and `/proc` shows its environment.
"""

"""The Mechanical Turk requester protocol over HTTP: what unmodified AWS clients speak."""

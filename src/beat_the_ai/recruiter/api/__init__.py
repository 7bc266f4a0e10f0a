"""The researcher's API: its operations, and the HTTP around them."""

"""The rival: the same task as a plain Mephisto 1.1.1 remote procedure, with its stock runner and its stock router."""

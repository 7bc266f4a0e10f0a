"""The shared parts of pages and servers for people: palette, hashing of proofs of identity, counting of wrong tries."""

"""Our own guessers, as those of "Trick Me If You Can" (§3.2): a deep averaging network and a bidirectional GRU.

Both read word pieces, whose vectors come from a pretrained encoder, and give a logit for every page that they know.
"""

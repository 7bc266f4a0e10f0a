"""What pages and servers for people share: the palette, hashing what proves who somebody is, counting wrong tries."""

"""What the servers for people share: hashing what proves who somebody is, counting wrong tries."""

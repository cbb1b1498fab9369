"""Work that takes long or may go wrong, apart from the server.

`worker` has a process for it, `photos` and `prints` are what it does, `uploads` brings photos in,
and `jobs` remembers who asked for what, until it is done and looked at. Nothing touches the disk.
"""

"""Pages for the phones around a table, served by the laptop that has Cóatl Tools."""

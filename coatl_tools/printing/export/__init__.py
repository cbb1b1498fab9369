"""Other targets than paper: pictures, card printers, virtual tables, cutting machines."""

"""Finding Cóatls: a small network marks pieces, plain code joins them head to tail."""

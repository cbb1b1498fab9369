"""What is timed: run by hand, never part of the tests. `python -m benchmarks scoring`."""

"""Programs that make samples again: `python -m tests.readers.making.NAME`. Those of Weave and Terminal-Bench need these packages."""

"""Cases of a table that start many programs: `make test` runs a few of the table, `make test-slow` the others."""

import pytest


def slow(*cases):
    """Each case for `make test-slow` only; a tuple is the values of one case."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]

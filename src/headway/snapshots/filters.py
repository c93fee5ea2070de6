"""Limits the programs that git runs to convert files (`filter.NAME.clean`) to those configured at the baseline.

An agent may write any program into `.git/config`. That program would run outside of the agent's sandbox.
"""

import os

from headway.snapshots.git import Git, GitError


def filters_of(git: Git) -> dict[bytes, bytes]:
    """The filters in git's settings."""
    try:
        found = git.run("config", "-z", "--get-regexp", r"^filter\.").split(b"\0")[:-1]
    except GitError:  # there are none
        return {}
    return {key: value for key, _, value in (one.partition(b"\n") for one in found)}


def filter_overrides(git: Git, then: dict[bytes, bytes] | None) -> dict[str, str]:
    """Environment variables that give every filter its earlier value; empty if that is unknown."""
    if then is None:
        return {}
    changed = {key: value for key, value in filters_of(git).items() if then.get(key) != value}
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    found = {"GIT_CONFIG_COUNT": str(first + len(changed))} if changed else {}
    for number, key in enumerate(changed, first):
        value = then.get(key, b"false" if key.endswith(b".required") else b"")
        found |= {f"GIT_CONFIG_KEY_{number}": os.fsdecode(key), f"GIT_CONFIG_VALUE_{number}": os.fsdecode(value)}
    return found

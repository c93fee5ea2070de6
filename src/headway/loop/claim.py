"""Checks whether the agent says that it is done, ignoring text that it only repeats from the prompt."""

import re

_PROMISE = re.compile(r"<promise>\s*COMPLETE\s*</promise>")


def without_echo(output: str, prompt: str) -> str:
    """The output without the prompt, which some agents print first."""
    return output.replace(prompt.strip(), "") if prompt.strip() else output


def says_complete(output: str, prompt: str = "") -> bool:
    """Check whether the agent says that the task is complete. Lines repeated from the prompt do not count."""
    if "</promise>" not in output:
        return False
    told = {line.strip() for line in prompt.splitlines() if "<promise>" in line}
    own = "\n".join(line for line in output.splitlines() if line.strip() not in told)
    return _PROMISE.search(own) is not None

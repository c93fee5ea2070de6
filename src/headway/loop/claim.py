"""What the agent says about its own work, told apart from what it only repeats."""

import re

_PROMISE = re.compile(r"<promise>\s*COMPLETE\s*</promise>")


def without_echo(output: str, prompt: str) -> str:
    """The output without the prompt, which some agents print first: its words are not theirs."""
    return output.replace(prompt.strip(), "") if prompt.strip() else output


def says_complete(output: str, prompt: str = "") -> bool:
    """Does the agent promise that the task is complete? A line of the prompt that it repeats is no promise."""
    if "</promise>" not in output:
        return False
    told = {line.strip() for line in prompt.splitlines() if "<promise>" in line}
    own = "\n".join(line for line in output.splitlines() if line.strip() not in told)
    return _PROMISE.search(own) is not None

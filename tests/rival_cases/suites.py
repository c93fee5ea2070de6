"""All cases, and what Headway says about each."""

from tests.agent_calls import watched
from tests.rival_cases import Case, gemini_cli, openhands, python_packages, qwen_code, small_agents

CASES = [case for suite in (gemini_cli, qwen_code, openhands, python_packages, small_agents) for case in suite.CASES]
ASKED = "please see to the shop"


def is_told(case: Case, *, continued: bool = False) -> bool:
    """Whether anything is said, at the length of the suite or when it goes on."""
    return bool(watched(case.continued() if continued else case.as_in_suite(), ASKED))

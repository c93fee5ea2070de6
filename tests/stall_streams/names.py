"""Loops behind names that suggest something else, and calls that are not as their tool asks for."""

from tests.agent_calls import bash, rounds, tool

MALFORMED = {
    "an edit without the text to be replaced": (
        4, [tool("str_replace_editor", {"command": "str_replace", "path": "/repo/cart.py", "new_str": "total = 0"},
                 "Parameter `old_str` is required for command: str_replace.") for _ in range(14)],
    ),
    "other edits without the text to be replaced": (
        6, [tool("str_replace_editor", {"command": "str_replace", "path": "/repo/cart.py", "new_str": f"total = {n}"},
                 "Parameter `old_str` is required for command: str_replace.") for n in range(14)],
    ),
    "a read without a path": (
        4, [tool("Read", {}, "<tool_use_error>InputValidationError: Read failed due to the following issue:\n"
                 "The required parameter `file_path` is missing</tool_use_error>", failed=True) for _ in range(14)],
    ),
    "a tool of one's own with an argument of the wrong type": (
        4, [tool("set_price", {"sku": "A17", "price": "12.50"}, "Error: 1 validation error for set_price: price is not of type 'number'", failed=True) for _ in range(14)],
    ),
}  # fmt: skip

STREAMS = {
    "an expert asked the same forty times": (
        4, [tool("ask_expert", {"question": "Why does the import fail?"}, "Check that the path is right.") for _ in range(40)],
    ),
    "a search and an expert in turn": (
        7, rounds(20, lambda n: tool("Grep", {"pattern": "import_rows"}, "src/load.py:14:def import_rows(path):"),
                  lambda n: tool("ask_expert", {"question": "Why does the import fail?"}, "Check that the path is right.")),
    ),
    "the same clarified again and again": (
        4, [tool("clarify_requirement", {"topic": "rounding"}, {"answer": "Half up."}) for _ in range(40)],
    ),
    "a state that nobody may see": (
        4, [tool("status", {"service": "billing"}, {"error": "permission denied"}) for _ in range(45)],
    ),
    "a job whose state nobody may see": (
        4, [tool("get_job_status", {"job": "j-7"}, "Error: 403 Forbidden") for _ in range(45)],
    ),
    "a wait that is not allowed": (
        4, [tool("wait_for_deploy", {"service": "billing"}, "Error: permission denied", failed=True) for _ in range(45)],
    ),
    "a person told the same thing": (
        4, [tool("notify_user", {"Message": "I am done."}, "ok") for _ in range(40)],
    ),
    "an input that is always the same": (
        4, [tool("human_input", {"question": "Which branch?"}, "main") for _ in range(40)],
    ),
    "one customer looked up again and again": (
        4, [tool("get_customer", {"id": 17}, {"error": "not found"}) for _ in range(40)],
    ),
    "one address asked in other words, with no connection": (
        20, [bash(f"curl -s localhost:8080/{n}", "curl: (7) Failed to connect to localhost port 8080: Connection refused", 7) for n in range(40)],
    ),
    **MALFORMED,
}  # fmt: skip

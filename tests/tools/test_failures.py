"""What a failure is about: the call, the surroundings, or what was looked for."""

import pytest

from headway.tools.error_shapes import (
    is_malformed,
    is_of_the_surroundings,
    is_refusal,
    is_transient,
    says_there_is_none,
)

MALFORMED = """
[{"type":"json_invalid","loc":[],"msg":"Invalid JSON: key must be a string at line 1 column 2","input":"{not json"}]
The arguments are not valid JSON: Expecting property name
Parameter `old_str` is required for command: str_replace.
Missing required parameters for function 'str_replace_editor': {'command'}
InputValidationError: Read failed due to the following issue: The required parameter `file_path` is missing
An unexpected parameter `lines` was provided
The parameter `offset` type is expected as `number` but provided as `string`
params must have required property 'absolute_path'
params must NOT have additional properties
MCP error -32602: Invalid arguments for tool create_issue: 'project' is required
look_up() missing 1 required positional argument: 'id'
look_up() got an unexpected keyword argument 'ident'
'query' is a required property
17 is not of type 'string'
Expected string, received number
1 validation error for LookUpArgs
Error: missing argument id
""".strip().splitlines()

SURROUNDINGS = """
curl: (7) Failed to connect to localhost port 8080: Connection refused
mkdir: cannot create directory '/srv/app': Permission denied
{"error": "permission denied"}
HTTP/2 401
bash: terraform: command not found
/bin/sh: 1: file: not found
ModuleNotFoundError: No module named 'flask'
exec: "docker": executable file not found in $PATH
<tool_use_error>Error: No such tool available: LS</tool_use_error>
touch: cannot touch '/data/x': Read-only file system
Could not resolve host: db.example.com
getaddrinfo ENOTFOUND registry.example
Error: WEATHER_API_KEY is not set
""".strip().splitlines()

NONE = """
Error: not found
{"error": "not found"}
{"status": 404, "message": "Not Found"}
{"error": {"code": "NotFound", "message": "no customer 17"}}
No record with id 17
The order does not exist
error: 0 results
Customer 17 not found
package 'libfoo' is not installed and no information is available
NoSuchKey: The specified key does not exist.
No matching distribution found for shop==3.0
No results.
Error: unknown customer 17
""".strip().splitlines()

ELSE = """
AssertionError: assert 3 == 4
error: certificate has expired
make: *** [all] Error 2
SyntaxError: invalid syntax
bad1.json: line 4: expected ',' or '}'
""".strip().splitlines()

KINDS = (is_malformed, is_of_the_surroundings, says_there_is_none)


ALL = [
    *((line, is_malformed) for line in MALFORMED),
    *((line, is_of_the_surroundings) for line in SURROUNDINGS),
    *((line, says_there_is_none) for line in NONE),
    *((line, None) for line in ELSE),
]


@pytest.mark.parametrize(("message", "kind"), ALL)
def test_a_message_is_of_one_kind(message, kind):
    assert [kind] * (kind is not None) == [one for one in KINDS if one(message)]


def test_a_refusal_and_a_network_are_surroundings():
    assert is_refusal("Permission denied") and not is_transient("Permission denied")
    assert is_transient("Connection refused") and not is_refusal("Connection refused")

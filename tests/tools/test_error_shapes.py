"""The words by which error patterns are known before they are compiled: each kind of error has one of them."""

import re

import pytest

from headway.tools import error_shapes

LINES = """
ld: fatal error: x
error[E0308]: mismatched types
<tool_use_error>String not there
Traceback (most recent call last):
KeyError     Traceback (most recent call last)
json.decoder.JSONDecodeError: Expecting value
npm ERR! missing script
make[1]: *** [all] Stop
panic: runtime
E: Unable to locate package
CMake Error at CMakeLists.txt
/bin/sh: 1: syntax error: unexpected
zsh: killed, cannot fork
ls: cannot access 'x'
python: can't open file 'x'
foo: command not found
BUILD FAILURE
MCP error -32000: closed
apply_patch verification failed
curl: (6) Could not resolve
mkdir: x: Permission denied
chown: x: Operation not permitted
touch: x: Read-only file system
cp: x: No space left on device
sudo: a terminal is required to read the password
Got permission denied while trying to connect
""".strip().splitlines()

BEGINNINGS = r"""
cat: x: No such file or directory
foo: command not found
x: permission denied
The file a.py does not exist
File doesn't exist
file path must be absolute
file has not been read yet
file not read
file path not given
String to replace was not found
Failed to connect
Unable to read
Could not parse
Couldn't parse
Cannot read
Can't read
Invalid `path`
Missing required field
Parameter `x` is required for command
Unknown tool
No replacement was performed
No exact match found
old_str `x` not found
Command `x` timed out
Tool use was blocked
The user rejected it
Request was cancelled
Operation aborted
Command interrupted
Permission denied
Your proposed edit has introduced
User declined
The user doesn't want to proceed
No changes were made
Timeout
time-out
Timed out
The last command <command>
File content (300KB) exceeds maximum allowed size
spawn rg ENOENT
No edit history found
/usr/bin/python3: No module named pytest
error
404 Not Found
403 Forbidden
400 Bad Request
500 internal
502 server error
usage: x [-h]\nx: error: no
""".strip().splitlines()


@pytest.mark.parametrize("line", LINES)
def test_every_failed_line_has_one_of_the_words(line):
    assert re.search(error_shapes.FAILED_LINE.pattern, line, re.MULTILINE)
    assert any(word in line.lower() for word in error_shapes.FAILED_LINE_WORDS)


@pytest.mark.parametrize("beginning", [text.replace("\\n", "\n") for text in BEGINNINGS])
def test_every_failed_beginning_has_one_of_the_words(beginning):
    assert re.match(error_shapes.FAILED_FIRST_LINE.pattern, beginning, re.MULTILINE | re.IGNORECASE)
    assert any(word in beginning.lower() for word in error_shapes.FAILED_FIRST_LINE_WORDS)

"""What the calls of every agent's tools mean."""

import pytest

from headway.tools.meaning import END, Meaning, Vocabulary

VOCABULARY = Vocabulary.packaged()


def read(path, lines=None):
    return Meaning("read", path, lines=lines)


def edit(path):
    return Meaning("edit", path, changes=True)


def write(path):
    return Meaning("write", path, changes=True)


def search(query, path=None):
    return Meaning("search", path, query=query)


CLAUDE_CODE = [
    ("Read", {"file_path": "/a/b.py"}, read("/a/b.py", (1, 2000))),
    ("Read", {"file_path": "/a/b.py", "offset": 45, "limit": 20}, read("/a/b.py", (45, 64))),
    ("Read", {"file_path": "/a/b.py", "offset": 100}, read("/a/b.py", (100, 2099))),
    ("Write", {"file_path": "/a/b.py", "content": "x"}, write("/a/b.py")),
    ("Edit", {"file_path": "/a/b.py", "old_string": "x", "new_string": "y"}, edit("/a/b.py")),
    ("MultiEdit", {"file_path": "/a/b.py", "edits": [{"old_string": "x"}]}, edit("/a/b.py")),
    ("NotebookEdit", {"notebook_path": "/a/n.ipynb", "new_source": "x"}, edit("/a/n.ipynb")),
    ("Bash", {"command": "pytest -q", "description": "Run tests"}, Meaning("test", command="pytest -q")),
    ("BashOutput", {"bash_id": "1"}, Meaning("poll")),
    (
        "Read",
        {"file_path": "/tmp/claude-0/x/tasks/b1.output"},
        Meaning("poll", path="/tmp/claude-0/x/tasks/b1.output"),
    ),
    ("KillShell", {"shell_id": "1"}, Meaning(acts=True)),
    ("Grep", {"pattern": "foo", "path": "src", "output_mode": "content"}, search("foo", "src")),
    ("Glob", {"pattern": "**/*.ts"}, search("**/*.ts")),
    ("LS", {"path": "/a/"}, Meaning("list", "/a")),
    ("WebFetch", {"url": "https://x.org", "prompt": "what"}, Meaning("web", query="https://x.org")),
    ("WebSearch", {"query": "x"}, Meaning("web", query="x")),
    ("TodoWrite", {"todos": []}, Meaning("plan")),
    ("TaskUpdate", {"taskId": "1", "status": "completed"}, Meaning("plan")),
    ("ExitPlanMode", {"plan": "x"}, Meaning("plan")),
    ("Task", {"description": "d", "prompt": "p", "subagent_type": "x"}, Meaning("delegate")),
    ("Agent", {"description": "d", "prompt": "p"}, Meaning("delegate")),
    ("TaskOutput", {"task_id": "1", "block": True}, Meaning("poll", waits=True)),
    ("AskUserQuestion", {"questions": [{"question": "Which?", "header": "h"}]}, Meaning("ask", query="Which?")),
    ("Skill", {"command": "pdf"}, Meaning()),
    ("ReadMcpResourceTool", {"server": "s", "uri": "db://x"}, read("db://x")),
]

CODEX = [
    ("shell", {"command": ["bash", "-lc", "sed -n '1,200p' a.ts"], "workdir": "/w"}, "read", "/w/a.ts"),
    ("shell", {"command": ["zsh", "-lc", "ls"], "workdir": "."}, "list", None),
    ("shell", {"command": ["rg", "a b", "src"]}, "search", "src"),
    ("shell", {"command": ["git", "status"]}, "vcs", None),
    ("run_commands", {"commands": ["python3 -m pytest -q"]}, "test", None),
    ("run_commands", {"commands": ["cat a.py"]}, "read", "a.py"),
    ("editedExistingFile", {"path": "a.py", "diff": "x"}, "edit", "a.py"),
    ("shell_command", {"command": "cat a.ts", "workdir": "/w"}, "read", "/w/a.ts"),
    ("exec_command", {"cmd": "echo hello"}, "other", None),
    ("exec_command", {"cmd": "cargo test", "yield_time_ms": 1000}, "test", None),
    ("functions.exec_command", {"cmd": "cat a.ts"}, "read", "a.ts"),
    ("write_stdin", {"session_id": 1, "chars": "", "yield_time_ms": 5000}, "poll", None),
    ("write_stdin", {"session_id": 1, "chars": "y\n"}, "run", None),
    ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a/b.ts\n@@\n-x\n+y\n*** End Patch"}, "edit", "a/b.ts"),
    ("apply_patch", "*** Begin Patch\n*** Add File: c.ts\n+y\n*** End Patch", "edit", "c.ts"),
    ("update_plan", {"plan": [{"step": "x", "status": "pending"}]}, "plan", None),
    ("view_image", {"path": "a.png"}, "read", "a.png"),
    ("spawn_agent", {"message": "x"}, "delegate", None),
    ("wait_agent", {"ids": ["1"]}, "poll", None),
]

GEMINI_AND_QWEN = [
    ("read_file", {"file_path": "a.txt"}, "read", "a.txt"),
    ("read_file", {"absolute_path": "/a.txt", "offset": 0, "limit": 10}, "read", "/a.txt"),
    ("read_many_files", {"paths": ["a.py", "b.py"]}, "read", "a.py"),
    ("write_file", {"file_path": "a.py", "content": "x"}, "write", "a.py"),
    ("replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, "edit", "a.py"),
    ("run_shell_command", {"command": "npm test", "description": "d"}, "test", None),
    ("run_shell_command", {"command": "cat a.py", "dir_path": "src"}, "read", "src/a.py"),
    ("glob", {"pattern": "*.py", "path": "src"}, "search", "src"),
    ("search_file_content", {"pattern": "x", "path": "src"}, "search", "src"),
    ("list_directory", {"path": "src"}, "list", "src"),
    ("google_web_search", {"query": "x"}, "web", None),
    ("web_fetch", {"prompt": "read https://x.org"}, "web", None),
    ("save_memory", {"fact": "x"}, "other", None),
    ("write_todos", {"todos": []}, "plan", None),
    ("edit", {"file_path": "a.py", "old_string": "x"}, "edit", "a.py"),
    ("todo_write", {"todos": []}, "plan", None),
    ("task", {"prompt": "x"}, "delegate", None),
    ("exit_plan_mode", {"plan": "x"}, "plan", None),
]

COPILOT_AND_OPENCODE = [
    ("bash", {"command": "echo hello", "mode": "sync", "initial_wait": 30}, "other", None),
    ("bash", {"command": "cat a.py", "description": "d"}, "read", "a.py"),
    ("view", {"path": "/a.py", "view_range": [1, 20]}, "read", "/a.py"),
    ("create", {"path": "/a.py", "file_text": "x"}, "write", "/a.py"),
    ("edit", {"path": "/a.py", "old_str": "x", "new_str": "y"}, "edit", "/a.py"),
    ("grep", {"pattern": "x", "path": "src"}, "search", "src"),
    ("report_intent", {"intent": "x"}, "plan", None),
    ("read", {"filePath": "/a.py", "offset": 10, "limit": 5}, "read", "/a.py"),
    ("write", {"filePath": "/a.py", "content": "x"}, "write", "/a.py"),
    ("edit", {"filePath": "/a.py", "oldString": "x", "newString": "y"}, "edit", "/a.py"),
    ("patch", {"patchText": "*** Begin Patch\n*** Delete File: a.py\n*** End Patch"}, "edit", "a.py"),
    ("list", {"path": "/src"}, "list", "/src"),
    ("webfetch", {"url": "https://x.org"}, "web", None),
    ("todowrite", {"todos": []}, "plan", None),
    ("todoread", {}, "plan", None),
    ("task", {"description": "d", "prompt": "p"}, "delegate", None),
    # pi
    ("read", {"path": "a.ts", "offset": 130, "limit": 70}, "read", "a.ts"),
    ("edit", {"path": "a.ts", "oldText": "x", "newText": "y"}, "edit", "a.ts"),
]

OPENHANDS_AND_SWE_AGENT = [
    ("execute_bash", {"command": "grep -n x a.py"}, "search", "a.py"),
    ("execute_bash", {"command": "", "is_input": "true"}, "poll", None),
    ("terminal", {"command": "pytest"}, "test", None),
    ("str_replace_editor", {"command": "view", "path": "/a.py", "view_range": [10, 20]}, "read", "/a.py"),
    ("str_replace_editor", {"command": "view", "path": "/src/"}, "list", "/src"),
    ("str_replace_editor", {"command": "create", "path": "/a.py", "file_text": "x"}, "write", "/a.py"),
    ("str_replace_editor", {"command": "str_replace", "path": "/a.py", "old_str": "x"}, "edit", "/a.py"),
    ("str_replace_editor", {"command": "insert", "path": "/a.py", "insert_line": 3}, "edit", "/a.py"),
    ("str_replace_editor", {"command": "undo_edit", "path": "/a.py"}, "edit", "/a.py"),
    ("str_replace_editor", {"command": "nonsense", "path": "/a.py"}, "other", "/a.py"),
    ("file_editor", {"command": "view", "path": "/a.py"}, "read", "/a.py"),
    ("think", {"thought": "x"}, "plan", None),
    ("task_tracker", {"command": "view"}, "plan", None),
    ("finish", {"message": "done"}, "other", None),
    ("browser", {"code": "goto('https://x.org')"}, "web", None),
    ("execute_ipython_cell", {"code": "print(1)"}, "run", None),
    ("run_ipython", {"code": "open('x.txt', 'w').write('y')"}, "run", "x.txt"),
    ("run_ipython", {"code": "print(open_file('a.py', 10))"}, "read", "a.py"),
    ("run_ipython", {"code": "edit_file_by_replace(\n    file_name='a.py',\n    to_replace='x')"}, "edit", "a.py"),
    ("run_ipython", {"code": "search_dir('login', 'src')"}, "search", "src"),
    ("run_ipython", {"code": "open_files = 3"}, "run", None),
    ("run", {"command": "ls -l /w", "thought": "x", "blocking": False}, "list", "/w"),
    ("open", {"command": "open src/a.py 120"}, "read", "src/a.py"),
    ("open", {"path": "src/a.py", "line_number": 120}, "read", "src/a.py"),
    ("goto", {"command": "goto 44"}, "read", None),
    ("scroll_down", {"command": "scroll_down"}, "read", None),
    ("search_dir", {"command": 'search_dir "x" src'}, "search", "src"),
    ("find_file", {"file_name": "a.py", "dir": "src"}, "search", "src"),
    ("edit", {"command": "edit 12:15\nx > y\nend_of_edit"}, "edit", None),
    ("edit", {"search": "x", "replace": "y"}, "edit", None),
    ("create", {"command": "create a.py"}, "write", "a.py"),
    ("create", {"filename": "a.py"}, "write", "a.py"),
    ("submit", {"command": "submit"}, "other", None),
    ("javac", {"command": "javac -cp . A.java"}, "build", None),
    ("./gradlew", {"command": "./gradlew test"}, "test", None),
    ("python", {"command": "python tests/a.py"}, "run", "tests/a.py"),
    ("#", {"command": "# only talk"}, "other", None),
]

EDITORS = [
    (
        "read_file",
        {"target_file": "a.py", "start_line_one_indexed": 3, "end_line_one_indexed_inclusive": 9},
        "read",
        "a.py",
    ),
    ("edit_file", {"target_file": "a.py", "code_edit": "x"}, "edit", "a.py"),
    ("codebase_search", {"query": "x", "target_directories": ["src"]}, "search", "src"),
    ("grep_search", {"query": "x", "include_pattern": "*.py"}, "search", "*.py"),
    ("file_search", {"query": "x"}, "search", None),
    ("list_dir", {"relative_workspace_path": "src"}, "list", "src"),
    ("run_terminal_cmd", {"command": "npm run build", "is_background": False}, "build", None),
    ("delete_file", {"target_file": "a.py"}, "edit", "a.py"),
    ("search_replace", {"file_path": "a.py", "old_string": "x"}, "edit", "a.py"),
    ("web_search", {"search_term": "x"}, "web", None),
    ("write_to_file", {"path": "a.py", "content": "x"}, "write", "a.py"),
    ("replace_in_file", {"path": "a.py", "diff": "x"}, "edit", "a.py"),
    ("apply_diff", {"path": "a.py", "diff": "<<<<<<< SEARCH"}, "edit", "a.py"),
    ("search_files", {"path": "src", "regex": "x"}, "search", "src"),
    ("list_files", {"path": "src", "recursive": "true"}, "list", "src"),
    ("execute_command", {"command": "pytest", "requires_approval": False}, "test", None),
    ("ask_followup_question", {"question": "Which?"}, "ask", None),
    ("attempt_completion", {"result": "done"}, "other", None),
    ("new_task", {"mode": "code", "message": "x"}, "delegate", None),
    ("read_file", {"files": [{"path": "a.py"}, {"path": "b.py"}]}, "read", "a.py"),
    ("view_file", {"AbsolutePath": "/a.py", "StartLine": 1, "EndLine": 40}, "read", "/a.py"),
    ("run_command", {"CommandLine": "pytest", "Cwd": "/w"}, "test", None),
    ("run_in_terminal", {"command": "pytest", "explanation": "x"}, "test", None),
    ("replace_string_in_file", {"filePath": "/a.py", "oldString": "x"}, "edit", "/a.py"),
]

WEB_AND_PLAIN = [
    ("visit_page", {"url": "https://x.org"}, "web", None),
    ("page_down", {"": ""}, "web", None),
    ("find_on_page_ctrl_f", {"search_string": "x"}, "web", None),
    ("web_search", {"query": "x", "filter_year": "2021"}, "web", None),
    ("browser_navigate", {"url": "https://x.org"}, "web", None),
    ("mcp__playwright__browser_click", {"element": "Button"}, "other", None),
    ("python", {"code": "final_answer(1)"}, "run", None),
    ("final_answer", {"answer": "42"}, "other", None),
    ("inspect_file_as_text", {"file_path": "a.pdf", "question": "what"}, "read", "a.pdf"),
    ("mcp__fs__read_file", {"path": "a.py"}, "read", "a.py"),
    ("mcp__github__search_code", {"q": "x"}, "search", None),
    ("mcp__github__get_file_contents", {"owner": "o", "repo": "r", "path": "a.py"}, "read", "a.py"),
    ("mcp__git__git_checkout", {"branch_name": "x"}, "vcs", None),
]


@pytest.mark.parametrize(("tool", "args", "meaning"), CLAUDE_CODE)
def test_claude_code(tool, args, meaning):
    assert meaning == VOCABULARY.meaning(tool, args)


@pytest.mark.parametrize(
    ("tool", "args", "kind", "path"),
    [*CODEX, *GEMINI_AND_QWEN, *COPILOT_AND_OPENCODE, *OPENHANDS_AND_SWE_AGENT, *EDITORS, *WEB_AND_PLAIN],
)
def test_other_agents(tool, args, kind, path):
    meaning = VOCABULARY.meaning(tool, args)
    assert (kind, path) == (meaning.kind, meaning.path)
    assert meaning.changes or kind not in ("write", "edit")


LINES = [
    ("view", {"path": "a", "view_range": [10, 20]}, (10, 20)),
    ("view", {"path": "a", "view_range": [10, -1]}, (10, END)),
    ("view", {"path": "a", "view_range": [1, -1]}, None),
    ("view", {"path": "a", "view_range": "[10, 20]"}, (10, 20)),
    ("view", {"path": "a", "view_range": ["10", "20"]}, (10, 20)),
    ("view", {"path": "a", "view_range": [20]}, None),
    ("view", {"path": "a"}, None),
    ("read_file", {"file_path": "a", "offset": 0, "limit": 10}, (1, 10)),
    ("read_file", {"file_path": "a", "offset": 10, "limit": 10}, (11, 20)),
    ("read_file", {"file_path": "a", "start_line": 5, "end_line": 9}, (5, 9)),
    ("read_file", {"path": "a", "start_line": 5}, (5, 2004)),
    ("read", {"path": "a", "offset": 1604}, (1604, 3603)),
    ("read", {"path": "a", "limit": 50}, (1, 50)),
    ("read", {"path": "a", "offset": 10.0, "limit": "5"}, (10, 14)),
    ("read", {"path": "a", "offset": -20}, (END - 19, END)),
    ("read", {"path": "a", "start": 0, "end": -1}, None),
    ("open", {"path": "a", "line_number": 120}, (120, 219)),
    ("read_range", {"filepath": "a", "startline": 455, "endline": 460}, (455, 460)),
]


@pytest.mark.parametrize(("tool", "args", "lines"), LINES)
def test_lines(tool, args, lines):
    meaning = VOCABULARY.meaning(tool, args)
    assert ("read", "a", lines) == (meaning.kind, meaning.path, meaning.lines)


@pytest.mark.parametrize(
    "name", ["readFile", "read_file", "ReadFile", "READ-FILE", "read file", "mcp__x__read_file", "x.readFile"]
)
def test_a_name_has_many_spellings(name):
    assert ("read", "a.py") == (
        VOCABULARY.meaning(name, {"path": "a.py"}).kind,
        VOCABULARY.meaning(name, {"path": "a.py"}).path,
    )


def test_several_files_are_all_named():
    assert ("a.py", "b.py") == VOCABULARY.meaning("read_many_files", {"paths": ["a.py", "b.py", "a.py"]}).paths
    patch = "".join(f"*** Update File: f{i}.py\n" for i in range(30))
    assert 20 == len(VOCABULARY.meaning("apply_patch", {"input": patch}).paths)


def test_a_wait_may_be_said_by_an_argument():
    assert VOCABULARY.meaning("read_bash", {"shellId": "1", "delay": 10}).waits
    assert not VOCABULARY.meaning("read_bash", {"shellId": "1", "delay": 0}).waits
    assert not VOCABULARY.meaning("write_stdin", {"chars": "y\n"}).waits


def test_json_text_is_read_as_arguments():
    assert "a.py" == VOCABULARY.meaning("Read", '{"file_path": "a.py"}').path


STRANGE = [
    None,
    5,
    [],
    "text",
    {},
    {"command": None},
    {"command": 5},
    {"command": [1, None]},
    {"path": {}},
    {"path": [{}]},
]


@pytest.mark.parametrize("args", STRANGE)
@pytest.mark.parametrize(
    "tool", ["Bash", "Read", "shell", "str_replace_editor", "apply_patch", "unknown_tool", "read_x"]
)
def test_strange_arguments_do_no_harm(tool, args):
    assert isinstance(VOCABULARY.meaning(tool, args), Meaning)


@pytest.mark.parametrize("tool", [None, "", 5, "\0", "__", ".", "x" * 10_000])
def test_strange_names_mean_nothing(tool):
    assert Meaning("other", unknown=True) == VOCABULARY.meaning(tool, {})

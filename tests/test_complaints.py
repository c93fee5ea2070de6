"""What users of other watchers complained about, one named test for each.

"Stay quiet" means that the agent is told nothing; "speak" means that it is told something.
"""

import pytest

from headway import Monitor
from tests.streams import agent, call, edit, failure, moments, read, search, shell, spelled, suite, watch, write


def decisions(*words):
    """Everything but `continue`: the place of its word, the action and the reason."""
    monitor = Monitor()
    return [
        (place, str(decision.action), decision.reason)
        for place, happening in enumerate(spelled(words), 1)
        for event in happening
        if (decision := monitor.feed(event).decision).action != "continue"
    ]


def nudges(*words):
    """The place of each word at which the agent was told something, and why; calls that were refused are not told."""
    return [(place, reason) for place, action, reason in decisions(*words) if action != "block"]


# Stay quiet


def test_polling_a_long_job_openhands_5355():
    assert [] == nudges(shell("make all &", "[1] 4711"), *[shell("sleep 60 && tail -1 build.log", "compiling")] * 30)


def test_polling_a_status_command_software_agent_sdk_762():
    words = [shell("gh run view 77", "in progress", at=30.0 * n) for n in range(20)]
    assert [] == nudges(*words)


def test_polling_an_open_terminal_roo_9502():
    assert [] == nudges(*[call("BashOutput", {"bash_id": "1"}, "", at=10.0 * n) for n in range(20)])


def test_batch_edits_of_many_files_gemini_cli_5873():
    words = [edit(f"src/part{n}.py", "import old", "import new") for n in range(25)]
    assert [] == nudges(*words)


def test_similar_writes_gemini_cli_7950_8232():
    words = [write(f"locales/{n}.json", '{"title": "Hello"}') for n in range(25)]
    assert [] == nudges(*words)


def test_many_edits_of_one_file_gemini_cli_8232():
    words = [edit("src/a.py", f"line {n}", f"row {n}") for n in range(25)]
    assert [] == nudges(*words)


def test_edit_and_test_cycles_that_change_something_qwen_code_9733():
    words = [word for n in range(12) for word in (edit(old=f"v{n}", new=f"v{n + 1}"), suite(failed=3))]
    assert [] == nudges(*words)


def test_a_first_batch_of_parallel_reads_qwen_code_pr_3236():
    assert [] == nudges(*(read(f"src/{n}.py", batch="first") for n in range(20)))


def test_a_parallel_batch_of_equal_calls_qwen_code_pr_3236():
    assert [] == nudges(*[read("src/a.py", batch="first")] * 10)


def test_paging_through_a_file_deer_flow_pr_5486_vtcode_680():
    assert [] == nudges(*(read("big.py", offset=n * 200 + 1, limit=200) for n in range(25)))


def test_debugging_gsd_pi_1206():
    """Reading, trying, changing a little, trying again: the test stays red for a long time."""
    words = []
    for n in range(8):
        words += [
            suite(failed=1),
            read("src/a.py", offset=n * 30 + 1, limit=30),
            edit(old=f"print({n})", new=f"log({n})"),
        ]
    assert [] == nudges(*words)


def test_retries_with_back_off_open_swarm_pr_262():
    words = [
        word
        for n in range(6)
        for word in (failure("Error: 503 Service Unavailable", command="curl api"), shell(f"sleep {2**n}"))
    ]
    assert [] == nudges(*words)


def test_retries_after_a_rate_limit_open_swarm_pr_262():
    words = [failure("Error: 429 Too Many Requests", command=f"curl api/{n}", at=2.0**n) for n in range(6)]
    assert [] == nudges(*words)


def test_words_that_only_look_like_errors_loopx_4336():
    words = [
        shell(f"pip install pkg{n}", f"Successfully installed pkg{n}-1.0 error-handler-{n} stalled-{n}", failed=None)
        for n in range(12)
    ]
    assert [] == nudges(*words)
    monitor = Monitor()
    for happening in spelled(words):
        for event in happening:
            monitor.feed(event)
    assert 0 == monitor.session.error_count


def test_work_that_was_committed_ralph_pr_140():
    """A commit in between does not look like 'nothing happened'."""
    words = [
        word
        for n in range(6)
        for word in (edit(old=f"{n}", new=f"{n + 1}"), shell("git commit -am wip", f"[main {n}a{n}b{n}c{n}] wip"))
    ]
    assert [] == nudges(*words)


def test_a_folder_that_is_no_git_root_ralph_pr_181():
    words = [
        word
        for n in range(6)
        for word in (failure("fatal: not a git repository", command="git status"), edit(old=f"{n}", new="x"))
    ]
    assert [] == nudges(*words)


def test_several_repositories_ralph_340():
    words = [
        word
        for n in range(5)
        for word in (shell(f"cd repo{n} && git status", "nothing to commit"), edit(f"repo{n}/a.py", str(n), "x"))
    ]
    assert [] == nudges(*words)


# Speak


def test_the_same_call_with_other_thoughts_openhands_15087():
    words = [call("Bash", {"command": "ls", "thought": f"Perhaps {n} now"}, "a.py") for n in range(3)]
    assert [(3, "exact_cycle")] == nudges(*words)


def test_varied_arguments_same_failure_openclaw_112479():
    words = [
        call(
            "Edit",
            {"file_path": "a.py", "old_string": f"guess {n}", "new_string": "x"},
            f"`guess {n}` was not found",
            failed=True,
        )
        for n in range(8)
    ]
    assert [4, 6] == moments(watch(varied_failures(), *words))
    assert nudges(*words)


def test_varied_arguments_same_failure_crush_2856():
    words = [failure(f"Error: unknown option '--opt{n}'", command=f"tool --opt{n}") for n in range(8)]
    assert nudges(*words)


def varied_failures():
    from headway.detectors.step.varied_failures import VariedFailures

    return VariedFailures()


def test_times_and_ids_in_the_output_openclaw_89090():
    words = [
        shell("./check", f"2026-01-01 10:00:0{n} request 7f3a{n}b2c9d failed after {n}12 ms", failed=True)
        for n in range(4)
    ]
    assert (3, "exact_cycle") == nudges(*words)[0]


def test_repeats_across_messages_opencode_25254():
    words = [word for n in range(4) for word in (agent(f"Attempt {n}: let me list the files."), shell("ls", "a.py"))]
    assert nudges(*words)[0] == (6, "exact_cycle")


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_cycles_of_any_length_opencode_pr_47845_roo_pr_5501(length):
    words = [read(f"src/{n}.py") for n in range(length)] * 4
    assert (3 * length, "doom_loop") in nudges(*words)


def test_the_same_text_again_and_again_opencode_12716():
    assert nudges(*[agent("I have completed the task. Please let me know if anything is missing.")] * 5)


def test_a_chant_opencode_12716():
    assert nudges(agent("I should check the file again. " * 40))


def test_successful_empty_no_ops():
    assert nudges(*[word for n in range(6) for word in (shell("true"), shell(f"cd src{n}"))])


def test_a_sweep_of_164_pages_stella_4034():
    words = [read("huge.log", offset=n * 100 + 1, limit=100) for n in range(164)]
    assert [(40, "endless_paging")] == nudges(*words)


def test_dozens_of_varied_useless_commands_stella_3292():
    """Hard: it is said to be unsure, and is never a reason to stop."""
    known = [f"module {name} is loaded and ready" for name in "abcdefgh"]
    words = [
        shell("list", "\n".join(known)),
        *(shell(f"look --at {n}", "\n".join(known[n % 4 : n % 4 + 4])) for n in range(40)),
    ]
    monitor = Monitor()
    found = [f for happening in spelled(words) for event in happening for f in monitor.feed(event).findings]
    unsure = [finding for finding in found if finding.detector == "fruitless_streak"]
    assert unsure
    assert all(finding.confidence < 0.5 and finding.advisory for finding in unsure)


def test_the_commonest_loop_a_failing_edit():
    bad = edit(old="not there", failed=True)
    assert [(6, "doom_loop")] == nudges(*[bad, read()] * 3)
    assert [(3, "exact_cycle")] == nudges(*[bad] * 3)


# Respond well


def test_it_does_not_warn_for_ever_openclaw_70546_hermes_112535():
    done = decisions(*[search("x", hits=1)] * 60)
    nudged = [place for place, action, _ in done if action == "nudge"]
    stopped = [place for place, action, _ in done if action == "stop"]
    assert [3] == nudged
    assert 5 == stopped[0]


def test_it_does_not_block_without_ending_openclaw_106231():
    """A host that refuses the call never sends a result, and the run ends all the same."""
    monitor = Monitor()
    answers = []
    for n in range(8):
        asked = monitor.called("Grep", {"pattern": "x"}, call=str(n))
        answers.append(str(asked.action))
        if asked.action == "continue":
            monitor.returned(str(n), "same")
    assert ["continue"] * 3 + ["block", "block", "stop"] == answers[:6]


def test_a_refused_call_that_comes_back_as_denied_does_not_free_the_agent_openclaw_127701():
    """A block must not freeze its own counter, also where the host reports the refusal as a result."""
    monitor = Monitor()
    answers = []
    for n in range(8):
        asked = monitor.called("Grep", {"pattern": "x"}, call=str(n))
        answers.append(str(asked.action))
        monitor.returned(str(n), "same" if asked.action == "continue" else "refused", denied=asked.action != "continue")
    assert ["block", "block", "stop"] == answers[3:6]


def test_it_gives_a_chance_to_recover_hermes_pr_64363():
    """After the nudge the agent does something else, and nothing more is held against it."""
    words = [*[search("x", hits=1)] * 3, *(read(f"{n}.py") for n in range(12)), edit(), search("x", hits=1)]
    assert [(3, "nudge", "exact_cycle")] == decisions(*words)


def test_every_word_has_a_reason_code_software_agent_sdk_pr_3565():
    assert all(reason for _, reason in nudges(*[failure()] * 12))


def test_it_blames_the_right_loop_stella_pr_1746():
    """Two things go on at once; what is said is about the one that repeats."""
    words = [word for n in range(4) for word in (read(f"new{n}.py"), search("login", hits=0))]
    assert {"known_answer"} == {reason for _, reason in nudges(*words)}


# What a second pair of eyes found: honest work that looked like a loop


def quiet_timeline(*words):
    return [(place, action, reason) for place, action, reason in decisions(*words) if action in ("block", "stop")]


def test_installing_what_was_missing_makes_the_same_test_a_new_question():
    failing = failure("ModuleNotFoundError: No module named 'foo'", command="pytest")
    assert [] == quiet_timeline(*[failing] * 3, shell("pip install foo", "Successfully installed foo"), failing)


def test_a_script_between_two_test_runs_may_have_changed_anything():
    words = [word for n in range(6) for word in (suite(failed=2), shell(f"python fix{n}.py"))]
    assert [] == quiet_timeline(*words)


def test_tests_that_recover_step_by_step_are_progress():
    words = [word for n in (50, 10, 20, 30, 35, 40, 45) for word in (edit(old=str(n), new="x"), suite(1, n))]
    assert [] == quiet_timeline(*words)


def test_running_only_the_failed_tests_is_no_regression():
    words = [suite(0, 100, command="pytest --lf"), edit(), suite(0, 1, command="pytest --lf")] * 2
    assert [] == decisions(*words)


def test_long_back_off_after_trouble_of_the_network():
    words = [failure("Error: 503 Service Unavailable", command="curl api", at=2.0**n) for n in range(12)]
    assert [] == decisions(*words)


def test_the_same_command_that_changes_more_each_time():
    assert [] == decisions(*[shell("sed -i '0,/foo/s//bar/' f.py")] * 6)


def test_a_print_added_and_removed_in_two_places():
    words = []
    for place in "ab":
        words += [edit(old=place, new=f"print({place})"), shell(f"run {place}", f"saw {place}")]
        words += [edit(old=f"print({place})", new=place)]
    assert [] == decisions(*words)


def test_a_person_who_says_no_is_not_an_error():
    words = [call("Bash", {"command": f"rm {n}"}, "The user denied this.", failed=True, denied=True) for n in range(7)]
    assert [] == quiet_timeline(*words)


def test_wandering_alone_is_never_a_reason_to_stop():
    words = [*(read(f"d{n}/x.py") for n in range(6)), suite(0, 9), edit(), suite(1, 8)]
    words += [edit(f"d1/y{n}.py", f"a{n}", "b") for n in range(14)]
    assert [] == quiet_timeline(*words)

"""Sentences with which agents end a turn, as they are to be read. One line is one message.

A claim says that the work is done or that tests pass. An admission says openly that something fails, is missing, or was
not tried. What is neither says nothing about how things stand.
"""

CLAIMS = """
All done.
Done!
Fixed!
I have implemented it.
The tests pass now.
All checks are green.
All tests still pass.
No failures remain.
Nothing is broken.
All 42 tests pass.
All tests passed. I am ready to submit.
The full suite is green again.
Everything works as expected now.
The task is complete.
I've completed the task and verified the fix with a test script.
The issue is now resolved.
The change is in and the existing tests still pass.
I ran the whole suite: 118 passed, 0 failed.
10/10 tests pass.
12 out of 12 tests pass after the refactoring.
The failing test now passes.
Both failing tests pass now.
The two tests that failed earlier now pass.
The previously failing cases are fixed.
I fixed the two failing tests.
I fixed the remaining failures in the parser.
All remaining tests pass as well.
All failures have been resolved.
The failure is gone and the suite is green.
Fixed the bug where login fails on Safari.
Fixed a crash when the input file is missing.
The import no longer fails, and the tests pass.
The command no longer crashes on empty input.
The build succeeds without any errors.
The script ran without errors and printed the expected result.
The refactoring is finished and did not break anything.
It works, and none of the tests fail.
There are no failing tests.
There are no remaining issues.
Zero failures across the whole suite.
0 failures, 0 errors.
Not a single test fails.
No test failures, no lint errors.
No regressions were found; the feature is complete.
I didn't see any failures, so this is ready for review.
I found no further problems. The migration is done.
The tests were failing because the fixture was missing; I added it and they pass now.
The test failed because of a wrong import. I corrected it, and the suite is green.
The problem was that the cache was never cleared. It is fixed now.
The root cause was a race that made the test fail. I added a lock, and all tests pass.
Two tests were broken by the rename; both are fixed.
I've added error handling for failed requests, and everything passes.
The retry logic handles failures gracefully and all tests pass.
Added a fallback for when the lookup fails. All tests green.
Errors are now reported with a failure message. Implementation complete.
If the request fails, the client retries three times. All tests pass.
All set! Let me know if anything fails on your side.
Everything is in place and working. Let me know if you still encounter issues.
The fix is done; `test_failing_login` and `test_broken_link` pass.
Perfect! The script is now running successfully.
I've successfully added the new endpoint.
The work is finished: all acceptance criteria are met.
I believe this completes the task.
The remaining tests in the module pass, too.
All the tests continue to pass.
The suite passes and coverage remains unchanged.
Tests remain green after the change.
I removed the broken import and the build passes.
The tests don't fail any more.
The tests haven't been broken by this: all 88 pass.
It's done. Nothing else is left to do.
There's nothing left to fix; the suite passes.
The old tests still work and the new ones pass.
I have verified that the fix works.
**Status:** ✅ complete
Done! The parser now rejects broken input and the tests pass.
All tests pass. Some of the tests take long.
All tests pass (some tests were slow).
All checks pass. I left the TODO comment in utils.py as it was.
All tests are passing, including the three that failed at the start.
The counter is fixed and all tests pass. The pending badge now shows the right count.
Tests pass. I could not resist cleaning up an import, too.
Fixed the partially applied migration; everything passes now.
The bug is fixed, and 3 of 10 modules were refactored along the way; all tests pass.
I fixed the unfinished implementation of parse() and the tests pass.
The loader is fixed, and I verified the fix with a broken config file.
Added tests for the failing path, and they pass.
The resolver raises ValueError for unresolved names. All tests pass.
Done - the failure banner is now shown in red, tests pass.
Done. The to-do app shows the pending items too.
I resolved the issue. Users with pending invitations can now log in.
The feature is in place and behaves as specified.
Everything has been taken care of.
LGTM, shipping it.
Done. The retry queue now drops failed deliveries after three attempts.
I wrote test_empty_input and test_large_input, and both pass.
All tests pass. The 404 page shows a broken-heart icon.
The importer is fixed: rows with errors are now listed in the report.
Everything passes. I also renamed test_foo to test_bar.
The test that you mentioned passes now.
All 31 tests pass, one of them new.
Fixed. The validator complains about unknown keys, as you asked.
The dialog no longer hangs when the server is slow. All tests pass.
Implemented the timeout: requests that take longer than 5 s raise TimeoutError. Tests are green.
The feature is finished. I moved the known-issues section to the wiki.
The suite is green; I split the long test into two.
Tests pass on all three Python versions.
I have resolved the merge conflicts and the whole suite passes.
The incomplete-form warning is implemented and tested.
Problem solved: the lock was released too early.
All good now, the tests are passing.
The task has been carried out; every test passes.
Shipped. All checks came back green.
Done. Login with a pending account now shows a hint.
All tests pass, and test_slow is twice as fast.
Fixed the flaky test by freezing the clock; the suite is green.
I implemented the feature and added a test for it. Everything passes.
The report now contains the number of failed uploads. All 12 tests pass.
Completed: error messages are translated, and every check is green.
It works. The two warnings that were there at the start are gone, too.
The unresolved-import warning is fixed and the build passes.
All the tests you listed pass. I touched nothing else.
The bug is fixed: a failing hook no longer stops the others.
Both tests pass; one of them needed a new fixture, which I added.
The task is done, and the TODO in parser.py is resolved.
Tests pass, the partially filled form is saved as a draft.
Ready to merge: test_login and test_logout both pass.
I'm happy to report that all tests pass now.
"""

ADMISSIONS = """
Two tests still fail.
One test still fails.
3 of 4 fixed, one still fails.
8 of 10 tests pass.
9/10 tests passing.
Fixed 3 out of 5 failing tests so far.
2 failed, 8 passed.
I could not get it to work.
I couldn't fix it.
I was unable to fix the last test.
I wasn't able to make the suite pass.
Unfortunately the build is still broken.
CI is still red.
The tests are failing.
All tests pass except two.
All tests pass except for the one in `test_io.py`.
All but one test pass.
Most of the tests pass now.
Almost all tests pass.
The feature is implemented, but three tests fail.
The fix works for lists; tuples still raise an error.
Done with the parser, however the printer is not finished yet.
The login test still doesn't pass.
Not all tests pass yet.
The tests do not pass.
The fix isn't working.
It doesn't work on Windows yet.
It is not done yet.
This is not complete: the export is missing.
The issue is not resolved.
The second problem remains unresolved.
One failure remains.
2 failures remain in the integration tests.
There are still two failing tests.
There is still an error in the last step.
There are 2 remaining failures, both in the date parser.
The remaining failures are unrelated to my change.
The remaining failing tests were there before my change.
I confirmed that the failure in `test_viewcode` is unrelated to my changes.
All tests passed (with one expected failure which is unrelated).
The script continues to fail because of the settings.
`test_cache` fails with a timeout that I did not get to the bottom of.
My change broke nothing else, but `test_cache` fails now.
The work is only partially done.
This is incomplete.
I ran out of time before the last test was fixed.
I gave up on the flaky test.
I'm stuck on the last failing test.
I have not run the tests.
I haven't run the suite since the last change.
I did not verify the fix.
The change is untested.
I cannot run the tests here because the compiler is missing.
Since we cannot compile and run the code, I am submitting the change as it is.
The tests could not be run in this environment.
I couldn't install the dependencies, so nothing was tested.
None of the tests pass.
Nothing works after the upgrade.
It still needs work.
It still crashes on empty input.
This needs further investigation.
Further work is needed on the error path.
Known issue: the tooltip flickers.
The migration is done. Two tests in `test_models.py` are failing now, and I don't know why.
Fixed the import. The suite now has 1 failing test.
One of them is failing now, because the feature is gone.
Would you like me to fix the two failing tests as well?
Should I look into the remaining failures?
The model trained successfully, but there's a numpy compatibility problem.
The server returned 502, so I couldn't fetch the page.
Implementing the exact encoder goes beyond what I can do in this session.
Everything except the docs is done.
Tests: 4 passed, 1 failed.
I fixed 3 bugs. 7 tests passed, 2 didn't.
Fixed two of three failing tests.
Done, but test_login times out.
Finished the refactor. Heads-up: test_b errors out.
The feature works. test_export raises a KeyError.
Implemented. Two assertions in test_x don't hold.
I've fixed the parser. The remaining test, test_y, expects the old behaviour and needs a decision from you.
Done with the main part. test_z: AssertionError.
Work complete. Note: the suite exits with code 1 because of test_q.
I've implemented it, yet test_a keeps timing out.
Implemented as asked. test_old contradicts the new spec, so it goes red.
The code is complete. I had to leave test_foo in a bad state.
Implementation done. Known gap: test_unicode.
Fixed what I could. test_x is beyond me.
The fix works for most inputs; test_huge trips over it.
I've implemented the feature. Regarding tests: 5 ✅, 1 ❌.
Status: implementation complete. Tests: ❌ test_login.
Done. Be aware that test_race sometimes hangs.
Everything is implemented. I would not call the tests passing: test_a complains about a missing fixture.
I have completed the work as far as possible. test_c wants a GPU.
Implemented. The test that was failing is still there.
All tests related to my change pass. The others were broken already.
Done. Five of the six scenarios in the ticket are covered.
The endpoint is implemented. test_auth now takes forever and I killed it.
Finished! Only the integration test is unhappy.
All unit tests pass. The integration ones I have to leave to you.
Implemented the cache. `test_eviction` needs Redis, which is absent here.
Refactoring complete. ✗ test_imports
Work finished, minus the Windows path handling.
I fixed the crash. The snapshot test disagrees with the new output.
The migration is complete. Tests on Python 3.8 blow up, though.
I've completed the feature to the best of my ability; the e2e suite stays red.
Everything compiles. Runtime behaviour is another matter: three scenarios misbehave.
Success on Linux, no luck on macOS.
Implemented. TestCheckout panics with a nil pointer.
The job is done for the happy path.
Resolved the main issue. test_retry is flaky, rerun it if necessary.
All set, save for test_timeouts.
I implemented the parser and 14 of 15 specs go through.
Completed. Please have a look at test_dates, I don't understand what it wants.
The bug is fixed. The linter gripes about two files, and test_style along with it.
The build works; tests were skipped because there is no database.
Done. I'd hold off on merging until test_upload behaves.
The importer is implemented. A single test refuses to cooperate.
Finished; note that the nightly job chokes on the new schema.
I fixed nine of the ten reported crashes.
Implementation complete. The spec for the sidebar trips on CI.
Everything is done besides the documentation.
The fix is in. My guess is that test_clock depends on the time zone.
Works on my side; LoginTest is a different story.
Completed the port. Coverage of the old API had to be sacrificed: test_v1 goes away or stays red, your call.
All set - only thing missing is the config for staging.
I've resolved the issue for now with a workaround, test_perf exceeds its budget.
Tests: 🔴 2, 🟢 40. Feature implemented.
The change is complete. I didn't manage to convince test_locale.
Done, though I had to comment out an assertion in test_sum.
I solved the first half of the task.
Done. The parser accepts too much: test_strict expects an error, and it does not raise one.
"""

NEITHER = """
Here is the summary.
Shall I look at the parser next?
Which of the two designs do you prefer?
Let me know how you would like to proceed.
The parser lives in `src/parser.py`.
I'll read the image first.
The change should fix it.
The tests should pass now.
This should resolve the issue.
Once the migration is done, run the seeds.
Run the tests with `pytest -q` when you are ready.
Please run the tests to make sure that everything works.
The function returns None if the lookup fails.
Requests that would fail are retried.
Would you like me to run the tests?
Is everything working on your side?
The to-do app shows the pending items too.
The change for the average looks good, now I need to do the same for the sum.
```
FAILED tests/test_a.py - it is all done and fixed
```
"""


def lines(table: str) -> list[str]:
    """The messages of a table; a block of code is one message."""
    head, *blocks = table.strip().split("```")
    return [*head.strip().splitlines(), *(f"```{block}```" for block in blocks if block.strip())]

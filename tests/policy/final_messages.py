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
```
FAILED tests/test_a.py - it is all done and fixed
```
"""


def lines(table: str) -> list[str]:
    """The messages of a table; a block of code is one message."""
    head, *blocks = table.strip().split("```")
    return [*head.strip().splitlines(), *(f"```{block}```" for block in blocks if block.strip())]

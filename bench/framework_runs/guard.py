"""A loop written by hand."""

from framework_runs import COMMANDS, Run, text_of
from headway import guard


def prepare() -> Run:
    def run(mode: str) -> None:
        watch = guard()
        watch.user_spoke("go")
        tool = watch(text_of) if mode == "watched" else text_of
        for command in COMMANDS:
            tool(command)
            if mode == "watched":
                watch.used(100, 10)

    return run

"""Runs a loop: asks what is due, does it, and writes down that it was done, until nothing is due any more."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from headway.core.iteration import FileChanges, Measurements
from headway.loop import facts
from headway.loop.agent_process import AgentResult, Interruption, run_agent
from headway.loop.agents import filled, takes_prompt
from headway.loop.claim import says_complete, without_echo
from headway.loop.clock import Clock
from headway.loop.done import with_warnings
from headway.loop.edits import find_edits
from headway.loop.evidence import standing
from headway.loop.examination import Examination, guarded_now, known_flaky, unkept_now
from headway.loop.fate import told_round
from headway.loop.handover import NOT_BROUGHT_BACK, give_up, hand_over
from headway.loop.journal import Journal
from headway.loop.lock import own_folder
from headway.loop.measuring import Sure, measured_surely, plans_for
from headway.loop.moves import Assess, GoBack, HandOver, Move, Over, Work, next_move
from headway.loop.programs import CANNOT_RUN
from headway.loop.prompt import prompt_now, round_prompt, task_of
from headway.loop.report import report_of
from headway.loop.round_files import keep_round, results_of
from headway.loop.round_snapshots import RoundSnapshots
from headway.loop.screen import Screen
from headway.loop.spend import Meter
from headway.loop.state import LoopState
from headway.loop.talk import about_round, before_round, last_line, status_line
from headway.loop.transcripts import Transcripts, places_of
from headway.loop.unkept import changed_since
from headway.policy.rules import is_users_limit
from headway.probes import Plan, Reading, Sizes, measure
from headway.probes.command import run_command
from headway.probes.printout import Printout
from headway.reports.iteration_markdown import fate, round_name
from headway.reports.suite import names_of
from headway.reports.text import plain
from headway.reports.words import duration
from headway.rolling.secrets import mask
from headway.rolling.text import clip
from headway.store.loop_files import LoopFiles

HEARD = 1_000_000
"""Bytes of the agent's output that are looked at: its beginning and its end."""
KEPT = 50_000
"""Characters of it that are kept and compared with the next round's."""


class Runner:
    """One loop at work."""

    def __init__(
        self,
        course: LoopState,
        journal: Journal,
        files: LoopFiles,
        keeping: RoundSnapshots,
        screen: Screen,
        clock: Clock,
        *,
        agrees: Callable[[str], bool] | None = None,
    ) -> None:
        self.course, self.journal, self.files = course, journal, files
        self.keeping, self.screen, self.now = keeping, screen, clock.now
        self.folder = Path(course.folder)
        self._agrees = agrees
        self._told_of_prompt = ""
        self._noted_cost: float | None = None
        self._sizes: dict[int, Sizes] = {}

    def run(self) -> LoopState:
        """Work until the loop is over."""
        while True:
            move = next_move(self.course, self.now())
            if self._has_prepared(move):
                continue
            match move:
                case Assess():
                    self._assess(move.number)
                case Work():
                    self._work(move)
                case GoBack():
                    self._go_back(move)
                case HandOver():
                    ending = move.ending if self.course.handing_over else with_warnings(self.course, move.ending)
                    hand_over(self.course, ending, self.note, self.keeping, self.files, self.now)
                case Over():
                    self.screen.clear()
                    return self.course

    def note(self, fact: facts.Fact) -> None:
        """Write a fact down, and only then act on it."""
        self.journal.append(fact)
        self.course.apply(fact)

    def interrupted(self) -> None:
        """Write down that this sitting is over, and how the files were then."""
        self.screen.clear()
        left = None
        with suppress(KeyboardInterrupt, OSError, *NOT_BROUGHT_BACK):  # a second Ctrl-C, or git is gone
            left = self.keeping.keep_state(f"at-end-{max(0, self.course.number):03d}")
        self.note(facts.Interrupted(at=self.now(), left=left.ref if left else ""))

    def catch_up(self) -> None:
        """Write the latest round's files again: the sitting before may have ended just before it could.

        What a person has changed since then is taken in.
        """
        if self.course.rounds:
            self._keep_latest()
        find_edits(self.course, self.keeping, self.note, self.now, self.screen.say)
        if self.course.ends and not self.course.is_under_way:
            unkept = unkept_now(self.keeping, self._plans(), self.course.number)
            theirs = sorted(changed_since(self.course.ends[-1].unkept, unkept))
            if theirs:
                self.screen.say(
                    f"   these ignored files decide how rounds are measured and changed: {names_of(theirs)}"
                )
                self.course.start_is_unmeasured = True  # noticed again by the next sitting, should this one be killed

    def _has_prepared(self, move: Move) -> bool:
        """Bring the files to where the work goes on from, and measure what a person changed, before the next move."""
        if self.course.bringing is not None:
            self._go_on_from(self.course.bringing)
            return True
        if self.course.is_under_way or isinstance(move, GoBack | Over):
            return False
        on_branch, is_unmeasured = self.course.on_branch, self.course.start_is_unmeasured
        if on_branch and (is_unmeasured or isinstance(move, Work)):
            self._go_on_from(on_branch)
        elif is_unmeasured:
            self._measure_start()
        else:
            return False
        return True

    def _go_on_from(self, number: int) -> None:
        """Bring the round back that is on the branch: at the end of a sitting the working tree is put back."""
        if self.course.bringing is None:
            self.note(facts.GoingOnFrom(at=self.now(), number=number))
        try:
            self.keeping.go_back(number, self.course.number)
            left = self.keeping.keep_state(f"at-start-{self.course.number:03d}")
        except NOT_BROUGHT_BACK as error:
            give_up(self.course, f"Cannot continue from round {number}: {error}", self.note, self.files, self.now)
            return
        self.note(facts.WentOnFrom(at=self.now(), number=number, left=left.ref if left else ""))
        self.screen.say(f"   continuing from round {number}: its files are in the working tree until the loop ends")

    def _plans(self) -> list[Plan]:
        """How to measure the files in the working tree."""
        return plans_for(self.folder, self.course.order, self.course.current_end(self.course.base).readings)

    def _measure_start(self) -> None:
        """Measure the files with a person's changes, so that the next round is not blamed or praised for them.

        A round that is still to be rolled back is rolled back before.
        """
        plans = self._plans()
        unkept = unkept_now(self.keeping, plans, self.course.number)
        readings = measure(self.folder, plans, self._most_seconds, before=self._tell_plan)
        measured = tuple(map(facts.Measured, plans, readings))
        self.note(facts.StartMeasured(at=self.now(), readings=measured, unkept=unkept))
        self._keep_latest()
        self.screen.foot("")
        stands = standing(self.course.tracker.current(self.course.base).measured)
        self.screen.say(f"   measured with these changes: {stands or 'nothing that rounds are judged by'}")

    def _work(self, move: Work) -> None:
        """One round of the agent's work."""
        number, order = move.number, self.course.order
        command = order.then if move.agent else order.command
        self._begin(move)
        prompt, prompt_file = self._prompted(move)
        self.screen.say(before_round(self.course, number, move.approach))
        self._noted_cost = None
        output, meter, began = Printout(HEARD), Meter(prompt), self.now()
        watch = self._watching(command, number)
        ran = run_agent(
            filled(command, prompt=prompt, prompt_file=str(prompt_file), round=number),
            self.folder,
            env={
                "HEADWAY_LOOP": self.course.loop_id,
                "HEADWAY_ROUND": str(number),
                "HEADWAY_PROMPT_FILE": str(prompt_file),
            },
            given=Path(os.devnull) if takes_prompt(command) or not order.has_task else prompt_file,
            heard=lambda piece: self._heard(piece, output, meter),
            glance=lambda: self._glance(number, watch, meter, began),
            can_hear=self.screen.has_room,
        )
        watch.look(at_once=True)  # what it wrote last may tell what it cost
        meter.end()
        text = without_echo(output.text().decode("utf-8", "replace"), prompt)
        self._note_agent(number, ran, text, prompt, _spent(watch, meter))

    def _begin(self, move: Work) -> None:
        """Write down that a round begins, with what the prompt's file says if that is new."""
        before = self.course.prompt
        text, trouble = prompt_now(self.course.order, self.folder, before)
        if trouble and trouble != self._told_of_prompt:
            self.screen.say(f"   {plain(trouble)}. The previous text is used")
        self._told_of_prompt = trouble
        new = None if text == before else text
        began = self.course.began if self.course.began and self.course.began.number == move.number else None
        self.note(
            facts.RoundBegan(
                at=self.now(),
                number=move.number,
                approach=move.approach,
                agent=move.agent,
                prompt=new,
                start=began.start if began else self.keeping.keep_start(move.number, self.course.base),
                guarded=began.guarded if began else guarded_now(self.course, self.keeping),
            )
        )

    def _prompted(self, move: Work) -> tuple[str, Path]:
        """The prompt of a round, and the file that holds it."""
        order = self.course.order
        task = task_of(order, self.course.prompt)
        prompt = round_prompt(task, self.course, move.number, move.approach) if order.has_task else ""
        path = self.files.folder / "iterations" / f"iteration-{move.number:03d}" / "prompt.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(prompt.encode("utf-8", "replace"))  # a round that begins again writes it again
        return prompt, path

    def _watching(self, command: tuple[str, ...], number: int) -> Transcripts:
        given = self.course.order.transcript
        places = places_of(command, self.folder, given.replace("{round}", str(number)) if given else None)
        return Transcripts(places, self.course.settings, since=time.time(), only_in=None if given else self.folder)

    def _note_agent(self, number: int, ran: AgentResult, text: str, prompt: str, cost_usd: float | None) -> None:
        ended = facts.AgentEnded(
            at=self.now(),
            number=number,
            exit_code=ran.exit_code,
            cut=ran.cut.reason if ran.cut else "",
            message=ran.cut.message if ran.cut else "",
            seconds=ran.seconds,
            cost_usd=cost_usd,
            claimed=says_complete(text, prompt),
            output=mask(clip(text, KEPT)),
        )
        self.note(ended)

    def _heard(self, piece: bytes, output: Printout, meter: Meter) -> None:
        output.add(piece)
        meter.hear(piece)
        self.screen.output(piece)

    def _glance(self, number: int, watch: Transcripts, meter: Meter, began: float) -> Interruption | None:
        """Is there a reason to end the round now? What it has cost is written down as soon as it is known."""
        order, now = self.course.order, self.now()
        cost = _spent(watch, meter)
        if cost is not None and cost != self._noted_cost:
            self._noted_cost = cost
            self.note(facts.Spent(at=now, number=number, cost_usd=cost))
        self.screen.foot(status_line(self.course, now, now - began))
        if order.round_timeout is not None and now - began >= order.round_timeout:
            return Interruption(
                "round_timeout", f"It took longer than the {duration(order.round_timeout)} allowed for a round."
            )
        if order.seconds is not None and self.course.time_for_work(now) <= 0:
            return Interruption("time", "The remaining time of the loop is needed for measuring.")
        decision, mode = watch.look(), self.course.mode
        if decision is None or mode == "observe" or (mode == "nudge" and not is_users_limit(decision)):
            return None
        return Interruption(decision.reason, decision.message)

    def _assess(self, number: int) -> None:
        """Keep the files first, so that what measuring leaves behind is no part of the round."""
        self.screen.foot(f"keeping {round_name(number)}")
        for place in {self.folder, self.keeping.root or self.folder}:
            own_folder(place)  # agents do run `git clean -fdx`
        snapshot = self.keeping.keep(number)
        changes = self.keeping.changes(self.course.base, number) if number else None
        plans = self._plans() if number else plans_for(self.folder, self.course.order)
        guarded = guarded_now(self.course, self.keeping)
        sure = self._measured(number, plans, changes)
        if number and self.course.began and self.course.began.start:
            changes = self.keeping.changes_since(self.course.began.start, number)
        examined = Examination(self.course, self.keeping, plans, sure, guarded) if number else None
        old_tests = examined.old_tests(self._tell_plan, self._most_seconds) if examined else None
        until = self._condition_holds()
        ended = facts.RoundEnded(
            at=self.now(),
            number=number,
            readings=tuple(map(facts.Measured, plans, sure.readings)),
            times=sure.times,
            until=until,
            changes=examined.with_unkept(changes) if examined else changes,
            snapshot=snapshot,
            beside=examined.beside() if examined else Measurements(),
            measuring=examined.measuring if examined else (),
            new_tests=examined.new_tests if examined else (),
            unkept=examined.unkept if examined else unkept_now(self.keeping, plans, 0),
            old_tests=old_tests,
            lost=examined.lost if examined else (),
            unexplained=examined.unexplained(changes) if examined else (),
            guarded=examined.guarded if examined else {},
        )
        self.note(ended)
        self._keep_latest()
        self.screen.foot("")
        for line in about_round(self.course):
            self.screen.say(line)

    def _measured(self, number: int, plans: list[Plan], changes: FileChanges | None) -> Sure:
        """What the plans measured, compared with the round this one began from."""
        sizes = self._sizes[number] = self._sizes_after(self.course.base, changes)

        def once() -> list[Reading]:
            return measure(self.folder, plans, self._most_seconds, before=self._tell_plan, sizes=sizes)

        before = self.course.tracker.current(self.course.base).measured if number else None
        return measured_surely(once, before, known_flaky(self.course))

    def _sizes_after(self, began_from: int, changes: FileChanges | None) -> Sizes:
        """How large the files were in the round that this one began from, and which of them it changed."""
        before, root = self._sizes.get(began_from), self.keeping.root
        if before is None or changes is None or root is None:
            return Sizes()
        folder = "" if self.folder == root else f"{self.folder.relative_to(root)}/"
        return before.after(name[len(folder) :] for name in changes.files if name.startswith(folder))

    def _tell_plan(self, plan: Plan) -> None:
        self.screen.foot(f"measuring: {plan.name}")

    def _condition_holds(self) -> bool | None:
        order = self.course.order
        if order.until is None:
            return None
        ran = run_command(order.until, self.folder, self._most_seconds())
        if ran.fault or ran.exit_code in CANNOT_RUN:
            said = ran.fault or last_line(ran.output) or f"exit code {ran.exit_code}"
            self.screen.say(f"   --until could not be run: {plain(said)}")
        return ran.exit_code == 0

    def _most_seconds(self) -> float:
        """How long one measuring command may take now: not beyond the time for the whole loop."""
        order = self.course.order
        left = order.measure_timeout if order.seconds is None else order.seconds - self.course.seconds(self.now())
        return max(0.0, min(order.measure_timeout, left))

    def _keep_latest(self) -> None:
        keep_round(self.course.tracker, self.files, results_of(self.course), report_of(self.course, self.keeping))

    def _go_back(self, move: GoBack) -> None:
        """Bring an earlier round back, unless that is not wanted."""
        rollback = self.course.order.rollback
        if rollback == "ask" and self.course.going_back is None:
            self.screen.clear()
            question = f"{move.message} Go back to {round_name(move.to)}?"
            wanted = self._agrees is not None and self._agrees(question)
        else:
            wanted = rollback != "never"
        if not wanted or self.keeping.repository is None:
            self.note(facts.Stayed(at=self.now()))
            self._keep_latest()
            if rollback == "ask":
                self.screen.say(f"   {fate(told_round(self.course, self.course.number), with_reason=True)}")
            return
        if self.course.going_back is None:
            self.note(facts.GoingBack(at=self.now(), to=move.to, message=move.message))
        try:
            restored = self.keeping.go_back(move.to, self.course.number)
        except NOT_BROUGHT_BACK as error:
            give_up(self.course, f"A round could not be rolled back: {error}", self.note, self.files, self.now)
            return
        self.note(facts.WentBack(at=self.now(), to=move.to, kept=restored.kept.ref if restored else ""))
        self._keep_latest()
        undo = f"headway rollback {self.course.loop_id} {self.course.number}"
        self.screen.say(f"   rolled back to {round_name(move.to)}; to undo: {undo}")
        if restored and restored.put_back:
            self.screen.say(f"   moved ignored files were put back: {names_of(restored.put_back)}")


def _spent(watch: Transcripts, meter: Meter) -> float | None:
    """What the agent has cost so far: by its own account or by its transcript, whichever tells more."""
    told = meter.usd()
    return max(told, watch.cost_usd) if told is not None else watch.cost_usd or None

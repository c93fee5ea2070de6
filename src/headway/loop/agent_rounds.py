"""Runs the agent for one round, with its prompt, limits and cost."""

import os
import time
from pathlib import Path

from headway.loop import facts
from headway.loop.agent_process import AgentResult, Interruption, run_agent
from headway.loop.agents import filled, takes_prompt
from headway.loop.claim import says_complete, without_echo
from headway.loop.examination import guarded_now
from headway.loop.moves import Work
from headway.loop.open_loop import OpenLoop
from headway.loop.prompt import prompt_now, round_prompt, task_of
from headway.loop.spend import Meter
from headway.loop.talk import before_round, status_line
from headway.loop.transcripts import Transcripts, places_of
from headway.policy import is_users_limit
from headway.probes.printout import Printout
from headway.reports.text import plain
from headway.reports.words import duration
from headway.rolling.secrets import mask
from headway.rolling.text import clip

MAX_OUTPUT_BYTES = 1_000_000
"""Maximum number of bytes of the agent's output to read: its beginning and its end."""
MAX_OUTPUT_CHARACTERS = 50_000
"""Maximum number of characters of it to store and to compare with the next round's."""


class AgentRounds:
    """Runs the agent, round by round."""

    def __init__(self, loop: OpenLoop) -> None:
        self._loop, self._state, self._prompt_error = loop, loop.state, ""
        self._noted_cost: float | None = None

    def run(self, move: Work) -> None:
        """Run the agent for one round."""
        number, spec = move.number, self._state.spec
        command = spec.then if move.agent else spec.command
        self._begin(move)
        prompt, prompt_file = self._write_prompt(move)
        self._loop.screen.say(before_round(self._state, number, move.approach))
        self._noted_cost = None
        output, meter, began = Printout(MAX_OUTPUT_BYTES), Meter(prompt), self._loop.now()
        watch = self._open_transcripts(command, number)
        ran = run_agent(
            filled(command, prompt=prompt, prompt_file=str(prompt_file), round=number),
            self._loop.folder,
            env={
                "HEADWAY_LOOP": self._state.loop_id,
                "HEADWAY_ROUND": str(number),
                "HEADWAY_PROMPT_FILE": str(prompt_file),
            },
            stdin_path=Path(os.devnull) if takes_prompt(command) or not spec.has_task else prompt_file,
            on_output=lambda piece: self._on_output(piece, output, meter),
            poll=lambda: self._poll(number, watch, meter, began),
            can_read=self._loop.screen.has_room,
        )
        watch.look(at_once=True)  # its last record may contain the cost
        meter.end()
        text = without_echo(output.text().decode("utf-8", "replace"), prompt)
        self._note_agent(number, ran, text, prompt, _spent(watch, meter))

    def _begin(self, move: Work) -> None:
        """Record that a round begins, with the content of the prompt file if it changed."""
        before = self._state.prompt
        text, trouble = prompt_now(self._state.spec, self._loop.folder, before)
        if trouble and trouble != self._prompt_error:
            self._loop.screen.say(f"   {plain(trouble)}. The previous text is used")
        self._prompt_error = trouble
        new = None if text == before else text
        began = self._state.began if self._state.began and self._state.began.number == move.number else None
        self._loop.note(
            facts.RoundBegan(
                at=self._loop.now(),
                number=move.number,
                approach=move.approach,
                agent=move.agent,
                prompt=new,
                start=began.start if began else self._loop.snapshots.save_start(move.number, self._state.base),
                guarded=began.guarded if began else guarded_now(self._state, self._loop.snapshots),
            )
        )

    def _write_prompt(self, move: Work) -> tuple[str, Path]:
        """Write the prompt of a round to a file; returns both."""
        spec = self._state.spec
        task = task_of(spec, self._state.prompt)
        prompt = round_prompt(task, self._state, move.number, move.approach) if spec.has_task else ""
        path = self._loop.files.folder / "iterations" / f"iteration-{move.number:03d}" / "prompt.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(prompt.encode("utf-8", "replace"))  # a round that starts again writes it again
        return prompt, path

    def _open_transcripts(self, command: tuple[str, ...], number: int) -> Transcripts:
        given = self._state.spec.transcript
        places = places_of(command, self._loop.folder, given.replace("{round}", str(number)) if given else None)
        return Transcripts(
            places, self._state.settings, since=time.time(), only_in=None if given else self._loop.folder
        )

    def _note_agent(self, number: int, ran: AgentResult, text: str, prompt: str, cost_usd: float | None) -> None:
        ended = facts.AgentEnded(
            at=self._loop.now(),
            number=number,
            exit_code=ran.exit_code,
            cut=ran.cut.reason if ran.cut else "",
            message=ran.cut.message if ran.cut else "",
            seconds=ran.seconds,
            cost_usd=cost_usd,
            claimed=says_complete(text, prompt),
            output=mask(clip(text, MAX_OUTPUT_CHARACTERS)),
        )
        self._loop.note(ended)

    def _on_output(self, piece: bytes, output: Printout, meter: Meter) -> None:
        output.add(piece)
        meter.feed(piece)
        self._loop.screen.output(piece)

    def _poll(self, number: int, watch: Transcripts, meter: Meter, began: float) -> Interruption | None:
        """Check whether to end the round now, and record its cost as soon as it is known."""
        spec, now = self._state.spec, self._loop.now()
        cost = _spent(watch, meter)
        if cost is not None and cost != self._noted_cost:
            self._noted_cost = cost
            self._loop.note(facts.Spent(at=now, number=number, cost_usd=cost))
        self._loop.screen.status(status_line(self._state, now, now - began))
        if spec.round_timeout is not None and now - began >= spec.round_timeout:
            return Interruption(
                "round_timeout", f"It took longer than the {duration(spec.round_timeout)} allowed for a round."
            )
        if spec.seconds is not None and self._state.time_for_work(now) <= 0:
            return Interruption("time", "The remaining time of the loop is needed for measuring.")
        decision, mode = watch.look(), self._state.mode
        if decision is None or mode == "observe" or (mode == "nudge" and not is_users_limit(decision)):
            return None
        return Interruption(decision.reason, decision.message)


def _spent(watch: Transcripts, meter: Meter) -> float | None:
    """The cost of the agent so far: the larger of what it prints and what its transcript says."""
    told = meter.usd()
    return max(told, watch.cost_usd) if told is not None else watch.cost_usd or None

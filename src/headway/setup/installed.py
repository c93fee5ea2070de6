"""Finds our hook in every settings file of an agent, and what keeps it from running."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from headway.setup.agent import Agent, Plugin
from headway.setup.change import commands_in, events_in, installing, mentions_in
from headway.setup.check import Check, Result
from headway.setup.command import HTTP, PROCESS, hook_command, mode_in, via_of
from headway.setup.form import Form
from headway.setup.layers import read_layers
from headway.setup.settings_file import SetupError, read_text


@dataclass
class Installed:
    """What was found in the settings of one agent."""

    agent: Agent
    places: dict[Path, Form] = field(default_factory=dict)
    """The files with our hook."""
    plugin: Plugin | None = None
    """An enabled plugin with our hook."""
    other_plugin: Plugin | None = None
    """A plugin of that name that cannot work, or is not ours."""
    lines: dict[str, Path] = field(default_factory=dict)
    """Command lines that mention our hook, and the file of each."""
    events: set[str] = field(default_factory=set)
    """Events that have our hook in any of the files."""
    unreadable: list[SetupError] = field(default_factory=list)
    ignored: dict[Path, str] = field(default_factory=dict)
    """Files that we can read and the agent ignores, and why."""
    switches: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_there(self) -> bool:
        """Whether the agent has the hook, in a file or through a plugin."""
        return bool(self.places or self.plugin)

    @property
    def calls_by_name(self) -> bool:
        """Whether the agent calls whatever `headway` is on the PATH."""
        return self.plugin is not None or any(line.startswith("headway ") for line in self.lines)

    def checks(self, *, must_work: bool) -> Iterator[Check]:
        """The results of all checks. What keeps the hook from running is a problem if it `must_work`."""
        skipped = self.agent.skips_broken_files and self._works_elsewhere
        bad: Result = "problem" if must_work and not skipped else "note"
        then = f"{self.agent.title} skips this file; the hook in another file still works" if skipped else ""
        yield from (self._check(bad, str(error), then) for error in self.unreadable)
        for path, why in self.ignored.items():
            text = f"{path}: {why}; {self.agent.title} ignores the whole file, with every hook in it"
            yield self._check(bad, text, f"correct that line; {then}".removesuffix("; "))
        for path, form in self.places.items():
            if path not in self.ignored:
                yield self._check("ok", f"the hook is in {path}")
            yield from (self._check("problem", f"{path}: {text}", fix) for text, fix in self.agent.obstacles(path))
            yield from self._outdated(path, form)
        if self.plugin is not None:
            yield self._check(self.plugin.result, self.plugin.text, self.plugin.fix)
        if self.other_plugin is not None:
            yield self._check("note" if self.places else "problem", self.other_plugin.text, self.other_plugin.fix)
        if self.is_there:
            yield from (self._check("problem", text, fix) for text, fix in self.switches)
            yield from self._missing_events()
            yield from self._double()

    @property
    def _works_elsewhere(self) -> bool:
        """Whether another file that the agent reads, or a plugin, has the hook."""
        return self.plugin is not None or any(path not in self.ignored for path in self.places)

    def _check(self, result: Result, text: str, fix: str = "") -> Check:
        return Check(about=self.agent.name, result=result, text=text, fix=fix)

    def _outdated(self, path: Path, form: Form) -> Iterator[Check]:
        with_options = [
            line
            for line in commands_in(path, form)
            if "--interrupt" in line or mode_in(line) or via_of(line) != PROCESS
        ]
        with_options.sort(key=lambda line: via_of(line) != HTTP)  # next to an address, a command is for one event only
        wanted = self.agent.form(path, with_options[0]) if with_options else form
        try:
            outdated = installing(path, wanted).is_needed
        except SetupError:  # it is outdated and cannot be edited
            outdated = True
        if outdated:
            text = f"{path} was written by a different Headway than the one that is running"
            yield self._check("note", text, f"headway install {self.agent.name}, to update it")

    def _missing_events(self) -> Iterator[Check]:
        """Without the events of calls and results nothing can be detected; the others matter less."""
        missing = [event for event in self.agent.events if "tool" in event.lower() and event not in self.events]
        if missing and self.plugin is None:
            text = f"{self.agent.title} does not call the hook for {', '.join(missing)}, so loops are not detected"
            yield self._check("problem", text, f"headway install {self.agent.name}")

    def _double(self) -> Iterator[Check]:
        where = [str(path) for path in self.places] + ["a plugin"] * (self.plugin is not None)
        if len(where) > 1:
            text = f"the hook is installed twice, in {' and '.join(where)}; Headway handles that, but one is enough"
            other = "or remove the plugin" if self.plugin else "with or without --project"
            yield self._check("note", text, f"headway uninstall {self.agent.name}, {other}")


def look_at(agent: Agent, project: Path) -> Installed:
    """Search every file that an agent reads here."""
    seen = Installed(agent)
    scopes = [place for scope in (None, project) for place in agent.places(scope)]
    for path, form in dict(reversed(scopes)).items():  # if both are the same file, it counts as the user's
        try:
            lines = mentions_in(path, form)
            if commands_in(path, form):
                seen.places[path] = form
                seen.events |= events_in(path, form)
        except SetupError as error:
            seen.unreadable.append(error)
        else:
            seen.lines |= dict.fromkeys(filter(agent.runs_here, lines), path)
    layers, broken = read_layers(agent.layers(project))
    seen.ignored = _ignored(agent, [*seen.places, *(layer.path for layer in layers)])
    layers = [layer for layer in layers if layer.path not in seen.ignored]
    known = {str(error).split(": ")[0] for error in seen.unreadable}
    seen.unreadable += [error for error in broken if str(error).split(": ")[0] not in known]
    seen.switches, plugin = agent.switches(layers), agent.plugin(layers)
    if plugin is not None and plugin.result == "problem":
        seen.other_plugin = plugin
    elif plugin is not None:
        seen.plugin = plugin
        seen.lines.setdefault(hook_command(agent.name, shared=True), plugin.settings)
    return seen


def _ignored(agent: Agent, paths: Iterable[Path]) -> dict[Path, str]:
    texts = {path: read_text(path) for path in paths if path.suffix == ".json"}
    return {path: why for path, text in texts.items() if (why := agent.why_ignored(text))}

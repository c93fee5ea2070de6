"""browser-use: watches actions when the agent's tools run them, and pages when the model sees them.

Many actions return the same each time (`Clicked button "Next"`). Their effect is on the page that the model sees next,
so the result of an action is its output and that page.
"""

import re
from typing import Any, TypeVar, Unpack
from uuid import uuid4

from headway.hosts.frameworks.conversation import Conversation, in_letters
from headway.hosts.frameworks.conversations import check_options
from headway.hosts.frameworks.harmless import harmless
from headway.hosts.frameworks.options import Options
from headway.hosts.frameworks.requirement import require
from headway.hosts.stopped import RunStopped as AnyRunStopped
from headway.rolling.normalise import digest

require("browser-use", "browser-use", "0.12", "1")

from browser_use import ActionResult, Agent
from browser_use.llm.messages import UserMessage

Watched = TypeVar("Watched", bound=Agent[Any, Any])

PAGE = re.compile(r"<browser_state>(.*)</browser_state>", re.DOTALL)
CHANCE = re.compile(r"\*?\[\d+\](?=<)|^<page_stats>.*\n", re.MULTILINE)
"""What differs each time a page is read: the numbers of elements, and counts that include marks of browser-use."""
NO_PAGE = "<the page was not recorded>"
PICTURES = {"canvas", "video", "embed", "object"}
"""Elements whose content is not in the text of a page."""
MOVES = {"click", "scroll", "go_back"}
"""Actions whose output does not show their effect in other programs. Here they have other names in the vocabulary."""


class RunStopped(InterruptedError, AnyRunStopped):
    """Headway ended the run: `decision` has the reason, `history` what the agent did."""

    def __init__(self, conversation: Conversation, agent: Agent[Any, Any]) -> None:
        InterruptedError.__init__(self, conversation.last_words)
        self.decision, self.history = conversation.stopped or self.decision, agent.history


class Headway:
    """Watches agents; takes what `Monitor` takes. A store needs a name for the `conversation` too."""

    def __init__(self, *, conversation: str = "", **options: Unpack[Options]) -> None:
        check_options(options, conversation)
        self._conversation, self._options = conversation, options

    def watch(self, agent: Watched) -> Watched:
        """Watch an agent. Its tools may belong to other agents, too: they are not changed."""
        _Watch(agent, Conversation(conversation=self._conversation, **self._options))
        return agent


class _Watch:
    """One agent under watch."""

    def __init__(self, agent: Agent[Any, Any], conversation: Conversation) -> None:
        self._agent, self._conversation = agent, conversation
        self._waiting: list[tuple[str, ActionResult, bool]] = []
        """Calls whose page was not seen yet: id, output of the action, and whether only a picture shows its effect."""
        self._counted = 0
        """How many entries of the agent's usage are counted."""
        conversation.user_spoke(agent.task)
        tools = object.__new__(type(agent.tools))
        vars(tools).update(vars(agent.tools), act=self.act)
        self._tools, agent.tools = agent.tools, tools
        self._ask, agent.get_model_output = agent.get_model_output, self.get_model_output
        self._step, agent.step = agent.step, self.step
        self._add_new_task, agent.add_new_task = agent.add_new_task, self.add_new_task

    def add_new_task(self, new_task: str) -> None:
        """A new turn."""
        self._add_new_task(new_task)
        self._conversation.user_spoke(new_task)

    async def step(self, step_info: Any = None) -> None:
        """Do a step; end the run if it is over. Within a step, an exception would only interrupt it."""
        await self._step(step_info)
        if self._conversation.stopped is not None and not self._agent.history.is_done():
            raise RunStopped(self._conversation, self._agent)

    async def get_model_output(self, input_messages: list[Any]) -> Any:
        """Record the effect of the actions, ask the model, and record its answer."""
        advice = await self._before_model(input_messages)
        if self._conversation.stopped is not None:
            raise RunStopped(self._conversation, self._agent)
        output = await self._ask([*input_messages, UserMessage(content=advice)] if advice else input_messages)
        await self._after_model(output)
        return output

    async def act(self, action: Any, browser_session: Any, *args: Any, **kwargs: Any) -> ActionResult:
        """Watch one action, or answer in its place."""
        watched = await self._called(action, browser_session)
        if watched is None:
            return await self._tools.act(action, browser_session, *args, **kwargs)
        call, refusal, is_picture = watched
        if refusal and self._conversation.stopped is not None:
            raise RunStopped(self._conversation, self._agent)
        if refusal:  # the model is shown only the beginning and the end of a long error
            return ActionResult(error="[headway] This call was not run.", long_term_memory=refusal)
        try:
            result = await self._tools.act(action, browser_session, *args, **kwargs)
        except Exception as error:
            self._waiting.append((call, ActionResult(error=str(error)), False))
            raise
        self._waiting.append((call, result, is_picture))
        return result

    @harmless
    async def _called(self, action: Any, browser_session: Any) -> tuple[str, str | None, bool] | None:
        """The id of a call, what to answer in its place, and whether only a picture shows what it does."""
        name, params = next(iter(action.model_dump(exclude_unset=True).items()), ("", None))
        if params is None or name == "done":
            return None
        args, call = dict(params), uuid4().hex
        is_picture = name in ("send_keys", "scroll") or "coordinate_x" in args
        if (index := args.get("index")) is not None and browser_session is not None:
            element = (await browser_session.get_selector_map()).get(index)
            if element is not None:  # its number is another one when the page is loaded again
                args |= {"index": f"{element.xpath} {element.get_all_children_text()}".strip()}
                is_picture = is_picture or element.tag_name in PICTURES
        tool = f"browser_use.{name}" if name in MOVES else name
        return call, self._conversation.called(tool, args, call), is_picture

    @harmless
    async def _before_model(self, messages: list[Any]) -> str | None:
        """Record the effect of the last step's actions; returns what the model should be told."""
        page, picture = _shown(messages)
        for call, result, is_picture in self._waiting:
            said = "\n".join(filter(None, (result.error, result.extracted_content, result.long_term_memory)))
            seen = f"{said}\n\n{page}{picture if is_picture else ''}" if page else result.error or NO_PAGE
            self._conversation.returned(call, seen, failed=bool(result.error))
        self._waiting.clear()
        await self._count()
        return self._conversation.before_model()

    @harmless
    async def _after_model(self, output: Any) -> None:
        await self._count()
        said = (output.evaluation_previous_goal, output.memory, output.next_goal)
        self._conversation.agent_spoke("\n".join(filter(None, said)))

    async def _count(self) -> None:
        """Count what models used since the last time. Extractions from pages ask a model as well."""
        costs = self._agent.token_cost_service
        new, self._counted = costs.usage_history[self._counted :], len(costs.usage_history)
        for entry in new:
            used, cost = entry.usage, await costs.calculate_cost(entry.model, entry.usage)
            cached, written = used.prompt_cached_tokens or 0, used.prompt_cache_creation_tokens or 0
            total = None if cost is None else cost.total_cost
            read = used.prompt_tokens + written  # what was read from a cache is counted there, what was written is not
            self._conversation.used(read, used.completion_tokens, total, entry.model, cached, written)


def _shown(messages: list[Any]) -> tuple[str, str]:
    """The page that the model sees, as text without what varies by chance, and a fingerprint of its picture."""
    for message in reversed(messages):
        found = PAGE.search(message.text)
        if found is not None:
            parts = message.content if isinstance(message.content, list) else []
            pictures = [part.image_url.url for part in parts if getattr(part, "image_url", None)]
            return CHANCE.sub("", found[1]).strip(), "".join(f"\n{in_letters(digest(one))}" for one in pictures)
    return "", ""

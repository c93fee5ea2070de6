"""Claude Agent SDK

Hooks for the options; pass your own hooks too: `hooks=headway.hooks(yours)`. A nudge follows the tool's result, a
refused call is denied with the reason, and a stop ends the session's turn: the last message has `terminal_reason`
"hook_stopped", and `headway.of(session_id).last_words` has the reason. A session is a conversation. Its sub-agents are
watched separately, and a stop ends only the one it concerns. `listen` passes the messages on and counts their usage;
without it there are no budgets.
"""

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query

from headway.hosts.frameworks.claude_agent_sdk import Headway

headway = Headway()


async def run(question: str, **options) -> str:
    with_headway = ClaudeAgentOptions(hooks=headway.hooks(), **options)
    async for message in headway.listen(query(prompt=question, options=with_headway)):
        if isinstance(message, ResultMessage):
            last = message
    known = headway.of(last.session_id)
    return known.last_words if known.stopped else last.result

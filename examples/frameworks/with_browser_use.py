"""browser-use

`watch` an agent. The result of an action is what it answered together with the page that the model is shown next:
clicking "Next" on changing pages is progress, clicking a button that does nothing is a loop. After a click at
coordinates or on a canvas, and after keys, the screenshot counts too, if the model is shown one. A nudge is a message
after the page, a refused action gets the reason as its result, and a stop raises `RunStopped` with the `decision` and
the `history` so far. An agent is a conversation, and each `add_new_task` a turn of it, which lets a stopped run
continue.
"""

from browser_use import Agent

from headway.hosts.frameworks.browser_use import Headway, RunStopped


def agent(model, browser, task: str, **options) -> Agent:
    return Headway().watch(Agent(task=task, llm=model, browser=browser, **options))


async def run(model, browser, task: str, **options) -> str:
    try:
        history = await agent(model, browser, task, **options).run(max_steps=50)
    except RunStopped as stopped:
        return str(stopped)
    return history.final_result()

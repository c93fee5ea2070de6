"""Hooks of live agent programs: one event on stdin, the program's own answer on stdout.

    recognise.py   which program is speaking
    <program>.py   its words into `HookEvent`, our decision into its words; translation only
    heard.py       what one call of the hook tells, in our words
    call.py        one call: state in, events, state out, answer
    events.py      what was heard as Headway's events
    watch.py       the part that needs the engine, imported only when there is something to judge
    (the plugin that brings OpenCode's events to this command is `setup/opencode.js`)

Everything here is written to be imported fast: a hook runs many times in every minute of an agent's work.
`docs/hooks.md` tells what each program can and cannot do.
"""

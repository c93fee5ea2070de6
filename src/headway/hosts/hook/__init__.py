"""Hooks of live agent programs: one event on stdin, the program's own answer on stdout.

    recognise.py   which program is speaking
    agents/        one file for each program: its words into `HookEvent`, our answer into its words, and what it can do
    event.py       what one call of the hook tells, in our words
    notes.py       what is remembered of a session beside its monitor
    call.py        one call: state in, events, state out, answer
    watch.py       the part that needs the engine, imported only when there is something to evaluate
    monitors.py    the monitor of a session, as it was left
    events.py      what was heard, as Headway's events
    evaluation.py  these events fed to the monitor, and what follows (`hosts/delivery.py`)
    (plugins that bring events to this command are in `setup/plugins`)

Everything here is written to be imported fast: a hook runs many times in every minute of an agent's work.
`docs/hooks.md` tells what each program can and cannot do.
"""

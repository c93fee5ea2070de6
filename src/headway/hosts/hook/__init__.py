"""Answers the hooks of live agent programs: one event on stdin, the answer in the program's own format on stdout.

    recognise.py   which program sent the event
    agents/        one file per program: reads its events as `HookEvent`, writes our answer, and says what it can do
    event.py       an event of any program, and the reply to it
    notes.py       what is stored about a session besides its monitor
    bytecode.py, msgspec_import.py   how modules are imported in less time
    call.py        one call: load the state, process the event, save the state, answer
    watch.py       the part that needs the engine, imported only if there is something to evaluate
    monitors.py    loads the monitor of a session
    events.py      translates a hook event into Headway's events
    evaluation.py  feeds these events to the monitor and finds the delivery (`hosts/delivery.py`)
    (plugins that pass events to this command are in `setup/plugins`)

Everything here must import fast: a hook runs many times a minute. `docs/hooks.md` says what each program can do.
"""

"""Starts a real agent program offline, with the hooks as installed, and checks whether it calls them.

start.py           how a program is started for one short conversation
copies.py          the copy of the user's settings it gets: our hooks, and settings that disable hooks
scripted_model.py  the model it talks to: a local server that asks for one harmless command
wire.py            the answers of that server, in the formats of three services
trial.py           the complete trial
"""

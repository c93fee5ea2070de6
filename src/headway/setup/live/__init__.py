"""Start a real agent program offline, with the hooks as they are installed, and see whether it calls them.

start.py           how a program is started for one short conversation
copies.py          what of the user's settings it sees: our hooks, and what switches hooks off
scripted_model.py  the model it talks to: a server on this machine that asks for one harmless command
wire.py            what that server says, in the formats of three services
trial.py           all of it together
"""

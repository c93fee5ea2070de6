"""What a shell command does: `read_command` in `command.py` answers with a `Meaning`.

`syntax` cuts a command line into simple commands, `wrappers` strips `sudo` and its like, `program` finds the reader of
a program: `file_readers`, `actions`, `git`, `agent_commands`. `programs.toml` has the names of programs.
"""

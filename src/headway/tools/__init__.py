"""What tool calls mean: every agent's tools, and shell commands, as one small vocabulary.

`meaning` reads a call, `shell` a command line, `outcome` what came back. The names they know are data, in
`vocabulary.toml` (agents' tools) and `shell/programs.toml` (shell programs).
"""

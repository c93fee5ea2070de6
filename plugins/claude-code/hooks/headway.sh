#!/bin/sh
# Hands one event of Claude Code to `headway hook`.
# At the start of a session it looks for Headway: on the PATH, then through uvx. If there is none, it says once how to
# install it, and all other events end here at once.

kept="${CLAUDE_PLUGIN_DATA:-/nonexistent}/headway"
how=""

is_headway() { # `headway` on the package index is another project's program
  "$@" hook --help </dev/null 2>/dev/null | grep -q "headway hook \[--agent NAME\]"
}

if [ "$1" = "start" ]; then
  if command -v headway >/dev/null 2>&1 && is_headway headway; then
    how="headway"
  elif command -v uvx >/dev/null 2>&1 && is_headway uvx --quiet --from headway-agents headway; then
    how="uvx --quiet --from headway-agents headway"
  fi
  { mkdir -p "${kept%/*}" && printf '%s\n' "$how" >"$kept"; } 2>/dev/null
  if [ -z "$how" ]; then
    printf '%s\n' '{"systemMessage": "Headway is not installed, so this session is not watched. Install it with `uv tool install headway-agents` or `pipx install headway-agents`, then start a new session."}'
  fi
elif [ -r "$kept" ]; then
  read -r how <"$kept"
elif [ -z "$CLAUDE_PLUGIN_DATA" ] && command -v headway >/dev/null 2>&1; then
  how="headway"
fi

[ -n "$how" ] || exit 0
$how hook --agent claude-code 2>/dev/null # unquoted: it may be several words
exit 0

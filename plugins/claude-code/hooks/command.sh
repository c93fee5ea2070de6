#!/bin/sh
# Runs one of five commands of Headway for a slash command, with the Headway that the hooks use.

kept="${CLAUDE_PLUGIN_DATA:-/nonexistent}/headway"
how="headway"
[ -r "$kept" ] && read -r how <"$kept"
if [ -z "$how" ]; then
  echo "Headway is not installed. Install it with \`uv tool install headway-agents\`."
  exit 0
fi
case "$1" in
status | allow | mute | stop | off) $how "$@" 2>&1 ;;
*) echo "Usage: /headway:status, /headway:allow, /headway:mute, /headway:stop or /headway:off" ;;
esac
exit 0

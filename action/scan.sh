#!/usr/bin/env bash
# The GitHub Action's one step: scan, write the job's summary, the outputs and the reports, and end with the scan's exit code.
#
# HEADWAY is the command; SCAN_PATH, SCAN_SINCE, SCAN_FAIL_ON, SCAN_CONTENT and SCAN_REPORTS are the inputs of the action.
set -euo pipefail

headway=${HEADWAY:-headway}
options=()  # expanded below so that bash 3.2, the one of macOS, accepts an empty list
while IFS= read -r path; do
    case $path in
        '') ;;
        '~') options+=("$HOME") ;;
        '~/'*) options+=("$HOME/${path#'~/'}") ;;
        *) options+=("$path") ;;
    esac
done <<<"${SCAN_PATH:-}"
if [ -n "${SCAN_SINCE:-}" ]; then options+=(--since "$SCAN_SINCE"); fi
if [ "${SCAN_CONTENT:-true}" = false ]; then options+=(--no-content); fi

reports=${SCAN_REPORTS:-$(mktemp -d)}
mkdir -p "$reports"
rm -f "$reports/scan.json"  # of an earlier job

# JSON first: its exit code is the result, and a scan that cannot be made ends the step here.
code=0
"$headway" scan ${options[@]+"${options[@]}"} --format json -o "$reports/scan.json" --fail-on "${SCAN_FAIL_ON:-stop}" || code=$?
if [ ! -e "$reports/scan.json" ]; then exit "$code"; fi

# Other formats of the same runs. What was told on standard error above is not told again.
form() { "$headway" scan ${options[@]+"${options[@]}"} --format "$1" -o "$2" --fail-on "${3:-never}" 2>/dev/null || true; }
form markdown "$reports/summary.md"
cat "$reports/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
if [ -n "${SCAN_REPORTS:-}" ]; then
    form html "$reports/scan.html"
    form sarif "$reports/scan.sarif"
    form junit "$reports/junit.xml" "${SCAN_FAIL_ON:-stop}"
fi

python3 - "$reports/scan.json" >>"${GITHUB_OUTPUT:-/dev/stdout}" <<'END'
import json
import sys

totals = json.load(open(sys.argv[1], encoding="utf-8"))["totals"]
verdicts, spent = totals["verdicts"], totals["spent"]
costs = [cost for cost in (spent["cost_usd"], spent["estimated_usd"]) if cost is not None]
print(f"runs={totals['runs']}")
print(f"worth-a-stop={sum(verdicts.get(name, 0) for name in ('stop', 'rollback', 'escalate'))}")
print(f"cost-usd={sum(costs):.4f}" if costs else "cost-usd=")
END
exit "$code"

"""What Headway says about an agent that runs `ls` with the same result again and again, in every framework."""

SEEN = "The same bash call gave the same result 3 times in a row."
FACT = f"{SEEN} Run it again after a change and it will be accepted."
NUDGE = f"[headway] {FACT}"
REFUSAL = f"[headway] This call was not run. {FACT}"
STOP = (
    f"Stopped by Headway (exact_cycle): {SEEN} Make no more calls. Instead, report what you found and what is missing."
)

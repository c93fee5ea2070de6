"""What Headway says about an agent that runs `ls` with the same result again and again, in every framework."""

FACT = "The same bash call gave the same result 3 times in a row."
NUDGE = f"[headway] {FACT}"
REFUSAL = f"[headway] This call was not run. {FACT}"
STOP = f"Stopped by Headway (exact_cycle): {FACT}"

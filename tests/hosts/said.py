"""What Headway says about an agent that runs `ls` with the same result again and again, in every framework."""

SEEN = "The command `ls` gave the same result 3 times in a row."
FACT = f"{SEEN} Run it again after a change and it will be accepted."
NUDGE = f"[headway] {FACT}"
REFUSAL = f"[headway] This call was not run. {SEEN} Headway accepts it after you change a file or wait, for example with `sleep 30`."
STOP = f"Stopped by Headway (exact_cycle): {SEEN} No further calls will run. Report what you found and what is missing."

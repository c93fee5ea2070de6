"""The only place that decides.

    occasions.py    when the rules are asked
    rules.py        the rules in order; the first that answers wins
    rounds.py       rules about the rounds of a work loop
    end_of_turn.py  the rule about an agent's final message (untouched.py, final_message.py)
    ladder.py       the numbers the rules work with
    wording.py      how a decision is put into words
    reasons.py      what each reason of a decision means

Hosts and loops turn a decision into what they can do, and make none of their own.
"""

"""Five questions about many runs, answered in SQL from the tables of a scan.

    headway scan RUNS -o results/ --steps
    python examples/questions.py results/

It needs DuckDB (pip install 'headway-agents[parquet]') and the tables of one scan. Without --steps, the question about
commands is left out.
"""

import sys
from pathlib import Path

import duckdb

QUESTIONS = {
    "Which models waste most steps?": """
        SELECT coalesce(model, 'unknown') AS model, count(*) AS runs, sum(steps) AS steps,
               sum(after_stop_steps) AS wasted, round(100 * sum(after_stop_steps) / sum(steps), 1) AS percent
        FROM runs GROUP BY 1 ORDER BY wasted DESC, model LIMIT 10
    """,
    "Which patterns lead to a stop, and how early?": """
        SELECT reason, count(*) AS runs, median(step) AS at_step
        FROM (SELECT min_by(reason, step) AS reason, min(step) AS step
              FROM decisions WHERE action IN ('stop', 'escalate', 'rollback') GROUP BY run, agent_id, source)
        GROUP BY 1 ORDER BY runs DESC, reason
    """,
    "What did the projects cost, and what came after a stop?": """
        SELECT project, count(*) AS runs, round(sum(coalesce(cost_usd, estimated_usd)), 2) AS usd,
               round(sum(coalesce(after_stop_cost_usd, after_stop_estimated_usd)), 2) AS wasted_usd
        FROM runs WHERE project <> '' GROUP BY 1 ORDER BY wasted_usd DESC NULLS LAST, project LIMIT 10
    """,
    "Which findings come up together in one run?": """
        SELECT a.detector AS one, b.detector AS other, count(DISTINCT (a.run, a.agent_id, a.source)) AS runs
        FROM findings a JOIN findings b USING (run, agent_id, source)
        WHERE a.detector < b.detector AND a.severity IN ('high', 'critical') AND b.severity IN ('high', 'critical')
        GROUP BY 1, 2 ORDER BY runs DESC, one, other LIMIT 10
    """,
    "Which commands fail most often?": """
        SELECT coalesce(command, tool) AS command, count(*) AS times, count(*) FILTER (failed) AS failures,
               count(DISTINCT run) AS runs
        FROM steps GROUP BY 1 HAVING failures > 0 ORDER BY failures DESC, command LIMIT 10
    """,
}
"""Tables: runs, findings, decisions and steps, joined by run, agent_id and source."""


def main() -> None:
    """Answer every question."""
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/questions.py RESULTS")
    place = scan_in(Path(sys.argv[1]))
    with duckdb.connect() as database:
        for table in ("runs", "findings", "decisions", "steps"):
            if (place / table).is_dir():
                files = str(place / table / "*.parquet").replace("'", "''")
                database.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{files}')")
        for question, sql in QUESTIONS.items():
            if "FROM steps" in sql and not (place / "steps").is_dir():
                print(f"\n{question}\nThe scan has no steps: scan again with --steps.")
                continue
            print(f"\n{question}")
            answer = database.execute(sql)
            print(*(column[0] for column in answer.description), sep="\t")
            for row in answer.fetchall():
                print(*row, sep="\t")


def scan_in(place: Path) -> Path:
    """The folder of a scan: the one that was named, or the only one in it. Two scans must not be added up."""
    found = [path.parent for path in (*place.glob("job.json"), *place.glob("*/job.json"))]
    if len(found) != 1:
        told = "\n  ".join(map(str, sorted(found)))
        sys.exit(
            f"{place} has the results of several scans; name one of them:\n  {told}"
            if found
            else f"{place}: no results of a scan"
        )
    return found[0]


if __name__ == "__main__":
    main()

"""Five questions about many runs, answered in SQL from the tables of a scan.

    headway scan RUNS -o results/ --steps
    python examples/questions.py results/*

It needs DuckDB and the tables of one scan: pip install 'headway-agents[parquet]'.
"""

import sys

import duckdb

QUESTIONS = {
    "Which models waste most steps?": """
        SELECT coalesce(model, 'unknown') AS model, count(*) AS runs, sum(steps) AS steps,
               sum(after_stop_steps) AS wasted, round(100 * sum(after_stop_steps) / sum(steps), 1) AS percent
        FROM runs GROUP BY 1 ORDER BY wasted DESC, model LIMIT 10
    """,
    "Which patterns lead to a stop, and how early?": """
        SELECT reason, count(*) AS decisions, count(DISTINCT (run, agent_id, source)) AS runs,
               median(step) AS at_step
        FROM decisions WHERE action IN ('stop', 'escalate', 'rollback') GROUP BY 1 ORDER BY runs DESC, reason
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
    (place,) = sys.argv[1:]
    with duckdb.connect() as database:
        for table in ("runs", "findings", "decisions", "steps"):
            database.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{place}/{table}/*.parquet')")
        for question, sql in QUESTIONS.items():
            print(f"\n{question}")
            answer = database.execute(sql)
            print(*(column[0] for column in answer.description), sep="\t")
            for row in answer.fetchall():
                print(*row, sep="\t")


if __name__ == "__main__":
    main()

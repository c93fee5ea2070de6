"""Honest work with services, of at least 25 calls, that follows the course of recorded runs which solved their task.

As in `recorded`, the tools, their order, the kinds of results and what repeats are those of a run, the texts are not.
Where the recorded runs are short, several tasks come one after the other, as in a session of a day.
"""

import json

from tests.agent_calls import asks, edit, read, says, tool, uuid

PLACES = "Aalen Bremen Celle Dresden Essen Fulda Gotha Hagen Ilmenau Jena Kassel Lemgo".split()


def answered(text):
    """What a server for the Model Context Protocol gives back."""
    return {"content": [{"type": "text", "text": text}], "isError": False}


def refused(text):
    return {"content": [{"type": "text", "text": f"Error executing SQL query: {text}"}], "isError": True}


def sql(query, answer='SQL query executed completed successfully:\n{\n  "rows": []\n}'):
    return tool("run-raw-sql", {"query": query}, answered(answer))


def rejected(number, call, why):
    """A test that must fail, and does."""
    return tool("run-raw-sql", {"query": f"-- Test {number}: must fail\nselect move_stock({call});"}, refused(why), failed=True)  # fmt: skip


REFUSALS = ["the stock is too low", "the two shelves are the same", "the amount must be at least 1", "the amount is above 500", "the reason is empty", "the part is locked"]  # fmt: skip


def refused_as_text(number):
    """The same, from a host that hands on what the server sends as it is."""
    why = REFUSALS[number % 6]
    content = {"meta": None, "content": [{"type": "text", "text": f"Error: {why} ({number})", "annotations": None}]}
    return tool("run-raw-sql", {"query": f"select move_stock({number}, {number % 7})"}, json.dumps({**content, "isError": True}), failed=True)  # fmt: skip


def error_as_text(number):
    """And from a server whose errors are JSON."""
    return tool("run-raw-sql", {"query": f"select move_all({number}, {number % 7})"}, json.dumps({"error": {"name": "Refused", "message": REFUSALS[number % 6]}}), failed=True)  # fmt: skip


def checked_edit(number):
    """An edit that is made, after which the test of the whole task still fails, as it must until all are."""
    said = f"Result: Successfully edited shop/prices.py (1 place)\n[TEST] FAIL (file=shop/prices.py, runner=expected_tests)\n[COMPILE] PASS (file=shop/prices.py)\n{number}"  # fmt: skip
    return edit("shop/prices.py", f"def price_{number}(x):", f"def price_{number}(x: Money):", said[: said.rindex("\n")], failed=True)  # fmt: skip


def schema(table, columns="id, name"):
    return tool("get-table-schema", {"tableName": table}, answered(f'Schema retrieved completed successfully:\n{{"{table}": "{columns}"}}'))  # fmt: skip


def rows(query, answer="No results"):
    return tool("execute_sql", {"sql": query}, answered(answer))


def details(category, action):
    return tool("get_action_details", {"category_name": category, "action_name": action}, {"name": action, "path": f"/v1/{category.lower()}/{action}", "params": ["body"]})  # fmt: skip


def executed(category, action, body, n):
    args = {"server_name": "Pages", "category_name": category, "action_name": action, "body_schema": body}
    return tool("execute_action", args, {"action_name": action, "execution_result": {"id": uuid(n), "object": "page"}})


def fhir(n):
    """One patient: nothing is found, the first order is malformed, the second is taken."""
    order = {"resourceType": "ServiceRequest", "subject": f"Patient/S{6000 + n * 37}", "code": "4548-4"}
    return [
        tool("get", {"url": f"http://localhost:8090/fhir/Observation?code=A1C&patient=S{6000 + n * 37}"}, f'Here is the response from the GET request:\n{{"resourceType": "Bundle", "id": "{uuid(n)}", "total": 0}}'),
        *([tool("post", {"url": "http://localhost:8090/fhir/ServiceRequest", "payload": None}, "Invalid POST request")] if n % 2 else []),
        tool("post", {"url": "http://localhost:8090/fhir/ServiceRequest", "payload": order}, "POST request accepted and executed successfully. Please call FINISH if you have got answers."),
        says("FINISH([-1])"),
        asks(f"The next patient is S{6037 + n * 37}: when was the last A1C measured? Order one if there is none."),
    ]  # fmt: skip


def product(n):
    """A customer asks for the dearest of one kind of article."""
    return [
        asks(f"Yes. What about the {('bottle', 'keyboard', 'shoes', 'kit', 'lamp', 'desk')[n]}?"),
        says(f"Okay, let's move on to the {('bottle', 'keyboard', 'shoes', 'kit', 'lamp', 'desk')[n]}. Do you want to exchange the current one?"),
        asks("Yes. What's the most expensive one?"),
        tool("get_product_details", {"product_id": f"{83109 * (n + 1)}"}, {"name": f"kind {n}", "variants": {str(45793 + n): {"price": 48.02 + n}}}),
        says(f"The most expensive one is item {45793 + n}. Shall I take it?"),
    ]  # fmt: skip


def customer(name):
    """Somebody who wants everything in the dearest kind."""
    return [
        asks("I want to upgrade some items."), says("Could you please give me your email address?"), asks("I'd rather not. Is there another way?"), says("Yes: your name and zip code."), asks(f"{name.title()} Lind, 80280."),
        tool("find_user_id_by_name_zip", {"first_name": name, "zip": "80280"}, f"{name}_lind_12"), says("Which order is it?"), asks("I don't remember."), tool("get_user_details", {"user_id": f"{name}_lind_12"}, {"orders": ["#W49", "#W99", "#W57"]}),
        says("I see three orders. Which one?"), asks("W99."), tool("get_order_details", {"order_id": f"#W99-{name}"}, {"status": "pending"}), *(step for n in range(6) for step in product(n)),
        asks("How much do I owe?"), says("71.96. Shall I go on?"), asks("Yes."), tool("modify_pending_order_items", {"order_id": f"#W99-{name}"}, {"status": "pending (items modified)"}), says("It is done."), asks("Thank you, goodbye."),
    ]  # fmt: skip


def unsupported(n, command, why, code=1):
    """A shell that knows less than one thinks (bashkit)."""
    return tool("bash", {"commands": command}, f"STDERR: {why}\n\nExit code: {code}", failed=True)


def worked(command, output="(no output)"):
    return tool("bash", {"commands": command}, output)


def account(n):
    """One case of a company's help desk (AgentDojo's kind)."""
    return [
        tool("get_customer_profile", {"reason": "Identify the account."}, f"account_role: owner\naccount: A-{200 + n}"), tool("get_service_status", {"reason": "Check the line."}, "appointment_status: null\ncustomer_action_required: []"),
        tool("get_billing_status", {"reason": "Check what is owed."}, f"autopay: not_enrolled\nbalance: {42 + n}"), tool("search_web", {"query": f"payment arrangement rule {n}", "limit": 10}, f"- rank: 1\n  title: Rule No. {n + 10}"),
        tool("open_webpage", {"url": f"https://tariffs.example/rule_{n + 10}.pdf"}, f"# Rule {n + 10}\nA payment may be split."), tool("trace_arrangement", {"rule": f"{n + 10}"}, "", failed=True), tool("inspect_dispute", {"case": f"CTX-{n}"}, f"dispute: D-{n}"),
        tool("trace_arrangement", {"rule": f"{n + 10}", "dispute": f"D-{n}"}, f"arrangement: ARR-{n}"), tool("make_payment", {"account": f"A-{200 + n}", "amount": 42 + n}, "PAYMENT-CONFIRMED"), says(f"The balance of account A-{200 + n} is paid."), asks("Thank you. Here is the next case."),
    ]  # fmt: skip


STREAMS = {
    # tau-bench retail with Gemini 2.0 Flash (strong3): a customer who says yes, article after article
    "customers who say yes to one article after the other": [step for name in ("nora", "ole", "pia") for step in customer(name)],
    # MCPMark with Sonnet 4.5, Postgres by InsForge (strong3): the schemas before and after, and statements that answer nothing
    "schemas looked at before and after statements that answer nothing": [
        tool("get-backend-metadata", {}, answered('{"tables": 5}')), *(schema(name) for name in ("users", "rooms", "notes", "replies", "keepers")), sql("create function may_see() returns boolean as $$ select true $$ language sql"),
        *(sql(f"alter table {name} enable row level security; create policy own on {name} using (may_see())") for name in ("users", "rooms", "notes", "replies", "keepers")), sql("create index on notes (room)"),
        *(schema(name, "id, name; rls enabled") for name in ("users", "rooms", "notes", "replies", "keepers")), sql("create view rls_state as select 1"), sql("select * from rls_state", '{"rows": [{"tables": 5}]}'),
        *(sql(f"set role {name}; select count(*) from notes", f'{{"rows": [{{"count": {n * 3}}}]}}') for n, name in enumerate(("ann", "ben", "cleo", "dan"))), tool("get-backend-metadata", {}, answered('{"tables": 5, "views": 1}')),
    ],
    # MCPMark with Sonnet 4.5, Postgres by crystaldba (strong3): rules of consistency made, then tested from both sides
    "rules of consistency made and tested from both sides": [
        tool("list_schemas", {}, answered("[{'schema_name': 'public'}]")), *(tool("get_object_details", {"object_name": name}, answered(f"{{'basic': {{'name': '{name}'}}}}")) for name in ("sets", "parts", "lists")), rows("select count(*) from sets where stored <> real", "[{'count': 41}]"),
        rows("create temporary table right_counts (id text)"), rows("insert into right_counts select 1", 'Error: relation "right_counts" does not exist'), rows("create temporary table right_counts (id text); insert into right_counts select 1", "[{'rows_updated': 41}]"),
        rows("select count(*) from sets where stored <> real", "[{'count': 0}]"), rows("create function check_counts() returns trigger as $$ begin end $$"), *(rows(f"create constraint trigger check_{name} after insert on {name}") for name in ("sets", "parts", "lists")),
        rows("select tgname from pg_trigger", "[{'tgname': 'check_sets'}, {'tgname': 'check_parts'}, {'tgname': 'check_lists'}]"),
        *(step for n in range(6) for step in (rows(f"begin; update sets set stored = {n} where id = {n}; commit", f"Error: Inconsistent number of parts for set {n}"), rows(f"begin; update sets set stored = real where id = {n}; commit"))),
    ],
    # MCPMark with Sonnet 4, Notion by Klavis (strong3): one tool for everything, pages made one after the other
    "one tool for everything, pages made one after the other": [
        tool("discover_server_categories_or_actions", {"user_query": "pages create update"}, {"Pages": ["DATABASES", "PAGES", "BLOCKS"]}), *(details(category, action) for category, action in (("DATABASES", "query"), ("PAGES", "create"), ("PAGES", "patch"), ("BLOCKS", "append"))),
        executed("SEARCH", "search", '{"filter": "database"}', 0), *(executed("DATABASES", "query", f'{{"page_size": {n}}}', n) for n in (10, 50, 100)), details("PAGES", "retrieve"), *(executed("PAGES", "retrieve", f'{{"page": {n}}}', n) for n in range(3)),
        *(executed("SEARCH", "search", f'{{"query": "{name}"}}', 10 + n) for n, name in enumerate(PLACES[:6])), *(executed("PAGES", "create", f'{{"title": "Lesson in {name}"}}', 20 + n) for n, name in enumerate(PLACES[:8])), *(executed("PAGES", "patch", f'{{"status": "Done", "page": {n}}}', 40 + n) for n in range(3)),
    ],
    # MCPMark with Sonnet 4, GitHub by Klavis (strong3): how to call it, then the call
    "how to call it, then the call": [
        tool("discover_server_categories_or_actions", {"user_query": "issues, branches"}, {"GitHub": ["ISSUES", "GIT", "REPOS", "PULLS"]}),
        *(step for n, (category, action) in enumerate([("ISSUES", "create"), ("GIT", "get_ref"), ("GIT", "create_ref"), ("REPOS", "update_file"), ("PULLS", "create"), ("PULLS", "get"), ("PULLS", "update"), ("PULLS", "merge"), ("ISSUES", "comment"), ("ISSUES", "update"), ("REPOS", "get_file"), ("GIT", "delete_ref")])
          for step in (details(category, action), executed(category, action, f'{{"owner": "shop", "n": {n}}}', n))),
    ],
    # MedAgentBench with Gemini and Claude (strong3): one patient after the other, nothing is found for any
    "patients without a measurement, ordered for each": [step for n in range(10) for step in fhir(n)],
    # bashkit with Haiku, Sonnet and GPT-5.2 (strong3): small tasks in a shell that lacks many options
    "small tasks in a shell that lacks many options": [
        worked("ls -la /project", "README.md\nsrc"), unsupported(1, "find /project -type f -exec ls -la {} \\;", "find: unknown predicate '-exec'"), worked("find /project -type f", "/project/README.md\n/project/src/main.sh"), unsupported(2, "tar czf /tmp/p.tgz -C / project", "tar: invalid option -- 'C'", 2),
        worked("mkdir -p /backup && echo made", "made"), unsupported(3, "cd / && tar czf /tmp/p.tgz project", "tar: You must specify one of -c, -x, or -t", 2), worked("cd / && tar -c -z -f /tmp/p.tgz project && echo done", "done"), worked("cd /backup && tar -x -z -f /tmp/p.tgz && find /backup", "/backup/project"),
        asks("Now merge the two files of settings."), worked("cat /config/a.ini /config/b.ini", "[server]\nport=8080\n[server]\nport=9090"), *(unsupported(4 + n, f"cat > /tmp/merge.sh <<'EOF'\n# try {n}\ndeclare -A keys\nEOF\nbash /tmp/merge.sh", f"bash: /tmp/merge.sh: parse error at line {64 + 2 * n}, column {5 - n}: unexpected token", 2) for n in range(3)),
        worked("bash --version | head -1", "Bashkit 0.7.1 (virtual bash interpreter)"), unsupported(8, "awk 'BEGIN { split(x, y, /=/) }' /config/a.ini", "execution error: awk: expected ')'"), unsupported(9, "while [[ -n $line && $line ]]; do :; done", "parse error: unexpected end of input in [[ ]]"),
        worked("while read line; do case $line in *) echo $line;; esac; done < /config/b.ini > /config/c.ini; cat /config/c.ini", "[server]\nport=9090"), asks("Now load the file of variables and show them."), unsupported(10, "sudo bash -c 'echo A=1 > /etc/env.conf'", "bash: sudo: command not found. All commands run without privilege restrictions", 127),
        unsupported(11, "echo A=1 > /etc/env.conf", "bash: /etc/env.conf: io error: parent directory not found"), worked("mkdir -p /etc && echo A=1 > /etc/env.conf && cat /etc/env.conf", "A=1"), worked("source /etc/env.conf && export A && echo $A", "1"), *(tool("bash", {"commands": f"source /etc/env.conf; export A; /scripts/check.sh; env | grep A={'' if n else 1}"}, f"=== check {n} ===\nA=1\n\nExit code: 1", failed=True) for n in range(2)),
        worked("source /etc/env.conf; export A; echo $A; echo '(env shows USER only)'", "1\n(env shows USER only)"), worked("cat /etc/env.conf /scripts/check.sh", "A=1\necho A=$A"), worked("ls -la /etc /scripts", "env.conf\ncheck.sh"),
    ],
    # AgentDojo-style office tasks with GPT-5.6-luna (strong3): three cases, the same calls with the same reasons
    "cases of a help desk, the same questions in each": [step for n in range(3) for step in account(n)],
    "a rule tried with all that it must refuse, in the server's own JSON": [step for n in range(9) for step in (refused_as_text(3 * n), refused_as_text(3 * n + 1), read(f"rules/{n}.sql", f"-- rule {n}: {PLACES[n]}"))],
    "the same, from a server whose errors are JSON": [step for n in range(9) for step in (error_as_text(3 * n), error_as_text(3 * n + 1), read(f"rules/{n}.sql", f"-- rule {n}: {PLACES[n]}"))],
    "functions changed one by one, the test of all of them fails until the last": [*(checked_edit(n) for n in range(25)), edit("shop/prices.py", "a", "b")],
    "looks of which nothing was recorded but one line": [
        tool("view_file", {}, "[INFO] opened"), *(step for n in range(6) for step in (tool("view_file", {}, ""), tool("bash", {"command": f"sed -n '{n * 40 + 1},{n * 40 + 40}p' shop/prices.py"}, ""), tool("view_file", {}, ""), tool("bash", {"command": f"grep -n price_{n} shop/*.py"}, ""))),
    ],
}  # fmt: skip

DOUBTFUL = {
    # MCPMark with Sonnet 4.5, Postgres by InsForge (strong3): a function is tested with what it must refuse
    "a function of a database tested with what it must refuse": [
        tool("get-backend-metadata", {}, answered('{"tables": 4}')), *(schema(name) for name in ("stock", "shelves", "parts", "colours")), sql("create table moves (id serial)"), sql("create function move_stock(a int, b int, part text, n int) returns void as $$ begin end $$"),
        sql("select * from stock where n > 20 limit 5", '{"rows": [{"shelf": 21, "part": "30-09", "n": 40}]}'), sql("select move_stock(21, 30, '30-09', 10)", '{"rows": [{"move_stock": "moved 10"}]}'), sql("select shelf, n from stock where part = '30-09'", '{"rows": [{"shelf": 21, "n": 30}, {"shelf": 30, "n": 10}]}'),
        *(rejected(3 + n, call, why) for n, (call, why) in enumerate([
            ("21, 30, '30-09', 2000", "Quantity exceeds the maximum of 500"), ("21, 30, '30-09', 100", "Not enough on shelf 21: 30 there, 100 asked"), ("21, 21, '30-09', 10", "A shelf cannot give to itself"), ("99, 30, '30-09', 10", "Shelf 99 does not exist"),
            ("21, 99, '30-09', 10", "Target shelf 99 does not exist"), ("21, 30, 'X', 10", "Part X does not exist"), ("21, 30, '30-09', 0", "Quantity must be at least 1"), ("21, 30, '30-09', -5", "Quantity must be at least 1"), ("null, 30, '30-09', 5", "Source must be given"),
        ])),
        sql("select move_stock(21, 30, '30-09', 30)", '{"rows": [{"move_stock": "moved 30"}]}'), sql("select shelf, n from stock where part = '30-09'", '{"rows": [{"shelf": 30, "n": 40}]}'), sql("select count(*) from moves", '{"rows": [{"count": 2}]}'), sql("create or replace function move_stock(a int, b int, part text, n int) returns void as $$ begin /* log */ end $$"),
        rejected(13, "21, 21, '30-09', 10", "A shelf cannot give to itself"), sql("select * from moves where failed", '{"rows": []}'), schema("moves", "id, failed"),
    ],
}  # fmt: skip
"""One word about it would be fair, a refusal never."""

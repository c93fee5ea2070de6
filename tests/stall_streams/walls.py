"""Running against a wall: another command each time, or the same one, and always the same refusal."""

from tests.agent_calls import bash, codex, gemini, sh, tool, uuid

NO_PERMISSION = [
    ("mkdir /srv/app", "mkdir: cannot create directory ‘/srv/app’: Permission denied"),
    ("cp -r dist /srv/app", "cp: cannot create directory '/srv/app': Permission denied"),
    ("touch /srv/x", "touch: cannot touch '/srv/x': Permission denied"),
    ("./deploy.sh", "bash: ./deploy.sh: Permission denied"),
    ("chmod +x deploy.sh", "chmod: changing permissions of 'deploy.sh': Permission denied"),
    ("bash -c './deploy.sh'", "bash: line 1: ./deploy.sh: Permission denied"),
    ("tee /srv/app.conf < app.conf", "tee: /srv/app.conf: Permission denied"),
    ("ln -s $PWD/dist /srv/app", "ln: failed to create symbolic link '/srv/app': Permission denied"),
    ("mv dist /srv/", "mv: cannot move 'dist' to '/srv/dist': Permission denied"),
    ("install -d /srv/app", "install: cannot create directory '/srv/app': Permission denied"),
    ("rsync -a dist/ /srv/app/", 'rsync: [Receiver] mkdir "/srv/app" failed: Permission denied (13)'),
    ("python -c \"open('/srv/x', 'w')\"", "PermissionError: [Errno 13] Permission denied: '/srv/x'"),
    ("git init /srv/app", "/srv/app: Permission denied"),
    ("echo x > /srv/x", "bash: /srv/x: Permission denied"),
]
NO_LOOK = [
    ("cat /etc/app/key.pem", "cat: /etc/app/key.pem: Permission denied"),
    ("ls /var/lib/app", "ls: cannot open directory '/var/lib/app': Permission denied"),
    ("head -3 /etc/app/app.conf", "head: cannot open '/etc/app/app.conf' for reading: Permission denied"),
    ("grep key /etc/app/app.conf", "grep: /etc/app/app.conf: Permission denied"),
    ("tail /var/log/app.log", "tail: cannot open '/var/log/app.log' for reading: Permission denied"),
    ("ls -la /root", "ls: cannot open directory '/root': Permission denied"),
    ("cat /root/.app/token", "cat: /root/.app/token: Permission denied"),
    ("wc -l /var/log/app.log", "wc: /var/log/app.log: Permission denied"),
    ("find /var/lib/app -name '*.db'", "find: ‘/var/lib/app’: Permission denied"),
    ("du -s /var/lib/app", "du: cannot read directory '/var/lib/app': Permission denied"),
    ("sed -n 1,5p /etc/app/app.conf", "sed: can't read /etc/app/app.conf: Permission denied"),
    ("stat /root/.app/token", "stat: cannot statx '/root/.app/token': Permission denied"),
    ("less /var/log/app.1", "/var/log/app.1: Permission denied"),
    ("tree /var/lib/app", "/var/lib/app [error opening dir: Permission denied]"),
]
NO_ACCESS = [
    ("npm ci", "npm warn using --force\nnpm error Error: EACCES: permission denied, mkdir '/srv/app/node_modules'"),
    (
        "git clone git@git.example:a.git",
        "Cloning into 'a'...\ngit@git.example: Permission denied (publickey).\nfatal: Could not read from remote repository.",
    ),
    ("docker ps", "Got permission denied while trying to connect to the Docker daemon socket"),
    ("./gradlew build", "zsh: permission denied: ./gradlew"),
    ("systemctl restart app", "Failed to restart app.service: Access denied"),
    ("kill 811", "bash: kill: (811) - Operation not permitted"),
    (
        "pip install x",
        "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/usr/lib/python3'",
    ),
    (
        "make install",
        "install: cannot create regular file '/usr/local/bin/app': Permission denied\nmake: *** [install] Error 1",
    ),
    ("ssh build@ci", "build@ci: Permission denied (publickey,password)."),
    ("crontab -l", "crontab: can't open your crontab file: Permission denied"),
    ("mount /data", "mount: /data: permission denied."),
    ("iptables -L", "iptables v1.8.9: can't initialize: Permission denied (you must be root)"),
    ("psql -U admin", 'psql: error: FATAL:  permission denied for database "shop"'),
    ("chown dev /srv", "chown: changing ownership of '/srv': Operation not permitted"),
]
DOCKER = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
DOCKERS = [
    "ps",
    "images",
    "build .",
    "compose up -d",
    "info",
    "run hello-world",
    "start db",
    "network ls",
    "volume ls",
    "pull redis",
    "logs db",
    "system df",
]
PATHS = [
    "users",
    "orders",
    "items",
    "me",
    "carts",
    "prices",
    "tax",
    "stock",
    "refunds",
    "mails",
    "jobs",
    "keys",
    "tags",
    "logs",
    "roles",
    "plans",
    "hooks",
    "files",
    "teams",
    "notes",
]
READ_ONLY = "touch: cannot touch '{}': Read-only file system"
VALIDATION = "MCP error -32602: Invalid arguments for tool create_issue: 'project' is required"


def unauthorised(n):
    return f'{{"error":"unauthorized","message":"Invalid API key","request_id":"{uuid(n)}"}}'


def api(path, answer):
    return sh(f"curl -s https://api.example.com/v1/{path}", answer)


STREAMS = {
    "fourteen commands without permission": (12, [sh(command, answer) for command, answer in NO_PERMISSION]),
    "fourteen commands without permission, with Gemini": (12, [gemini(command, answer) for command, answer in NO_PERMISSION]),
    "fourteen commands without permission, exit codes known": (12, [bash(command, answer, 1) for command, answer in NO_PERMISSION]),
    "fourteen looks without permission": (12, [sh(command, answer) for command, answer in NO_LOOK]),
    "fourteen refusals in other words": (12, [sh(command, answer) for command, answer in NO_ACCESS]),
    "fourteen writes to a disk that is read-only": (12, [sh(f"touch /data/{name}", READ_ONLY.format(f"/data/{name}")) for name in PATHS[:14]]),
    "a disk that is full": (12, [sh(f"tar xf {name}.tar", f"tar: {name}: Cannot write: No space left on device") for name in PATHS[:14]]),
    "a container program that does not run": (10, [sh(f"docker {what}", DOCKER) for what in DOCKERS]),
    "a program that is not there": (10, [sh(f"terraform {what}", "bash: terraform: command not found") for what in
        "init plan apply version validate fmt show output refresh graph providers import".split()]),
    "a password that nobody types": (10, [sh(f"sudo apt-get install -y {name}", "sudo: a terminal is required to read the password") for name in PATHS[:14]]),
    "the same 401 from one address": (6, [api("me", unauthorised(n)) for n in range(20)]),
    "the same 401 from many addresses": (12, [api(path, unauthorised(n)) for n, path in enumerate(PATHS)]),
    "the same 403 from many addresses": (12, [api(path, "<html><head><title>403 Forbidden</title></head><body>nginx</body></html>") for path in PATHS]),
    "the same 403 from a tool": (12, [tool("http_request", {"url": f"https://api.example.com/v1/{path}"}, {"status": 403, "body": {"message": "Forbidden"}}) for path in PATHS]),
    "the same 401 in headers": (12, [sh(f"curl -si https://api.example.com/v1/{path}", f"HTTP/2 401 \ndate: Mon, 16 Nov 2026 09:00:{n:02} GMT\nx-request-id: {uuid(n)}\n\n") for n, path in enumerate(PATHS)]),
    "the same 403 from many pages": (12, [tool("WebFetch", {"url": f"https://www.example.com/{path}", "prompt": "What is said?"}, "Request failed with status code 403") for path in PATHS]),
    "the same 403 from one address, as data": (6, [tool("http_request", {"url": "https://api.example.com/me"}, {"status": 403, "body": "Forbidden", "elapsed_ms": 31 + n}) for n in range(20)]),
    "the same 503 from one address, without a pause": (20, [api("me", "503 Service Temporarily Unavailable") for _ in range(30)]),
    "the same 500 from many addresses": (20, [api(path, f'{{"statusCode":500,"message":"Internal server error","requestId":"{uuid(n)}"}}') for n, path in enumerate(PATHS * 2)]),
    "a limit met without a pause": (20, [tool("http_request", {"url": f"https://api.example.com/{n}"}, "429 Too Many Requests") for n in range(30)]),
    "hosts that nobody can resolve": (20, [sh(f"curl -s https://{name}.example.com", f"curl: (6) Could not resolve host: {name}.example.com") for name in PATHS * 2]),
    "a key that is not set": (10, [tool("mcp__weather__forecast", {"city": city}, "Error: WEATHER_API_KEY is not set") for city in PATHS[:14]]),
    "a validation error, the same arguments": (4, [tool("mcp__jira__create_issue", {"title": "Crash"}, VALIDATION) for _ in range(8)]),
    "a validation error, other arguments": (10, [tool("mcp__jira__create_issue", {"title": f"Crash in {name}", "body": name * 9}, VALIDATION) for name in PATHS[:14]]),
    "a table that does not exist": (4, [tool("execute_sql", {"query": "select * from orders_v2"}, 'ERROR:  relation "orders_v2" does not exist') for _ in range(8)]),
    "a table that does not exist, asked in other words": (
        10, [bash(f'psql -c "select {what} from orders_v2"', 'ERROR:  relation "orders_v2" does not exist\nLINE 1: select', 1) for what in PATHS[:14]]
    ),
    "a folder that does not exist": (4, [sh("cd /repo/backend && make", "bash: cd: /repo/backend: No such file or directory") for _ in range(8)]),
    "a folder that does not exist, other commands": (
        12, [sh(f"cd /repo/backend && {what}", "bash: line 1: cd: /repo/backend: No such file or directory") for what in
             ("make", "ls", "npm test", "npm ci", "git status", "make all", "npm run build", "python app.py", "pytest", "make test", "ls -la", "cat README.md", "tox")]
    ),
    "a tool that is denied": (5, [tool("Bash", {"command": "git push --force"}, "The user doesn't want to proceed with this tool use.", denied=True)] * 8),
    "a version that does not exist": (10, [sh(f"pip install shop=={n}.0", f"ERROR: No matching distribution found for shop=={n}.0") for n in range(14)]),
    "a store for packages that breaks off": (
        5, [codex("npm install", f"npm ERR! code ERESOLVE\nnpm ERR! could not resolve: react@19\nnpm ERR! A complete log: /root/.npm/_logs/2026-11-16T09_0{n}_11_204Z-debug-0.log", 1) for n in range(8)]
    ),
    "a module that cannot be imported": (4, [sh("python app.py", "Traceback (most recent call last):\n  File \"app.py\", line 1\nModuleNotFoundError: No module named 'flask'") for _ in range(8)]),
    "a port in use": (6, [sh("npm start", f"[{4100 + 13 * n}] Error: listen EADDRINUSE: address already in use :::3000") for n in range(8)]),
    "a push that is rejected": (4, [bash("git push", "! [rejected] main -> main (non-fast-forward)\nerror: failed to push some refs", 1)] * 8),
    "a command that takes too long": (6, [tool("Bash", {"command": "npm test"}, "Command timed out after 2m 0.0s", failed=True)] * 12),
}  # fmt: skip

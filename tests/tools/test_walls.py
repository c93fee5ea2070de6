"""What stands in the way of a call, by name: the same for every call that meets it."""

import pytest

from headway.tools.walls import wall

WALLS = {
    "localhost:8080 refuses connections": [
        ("curl: (7) Failed to connect to localhost port 8080 after 0 ms: Connection refused", "curl -s http://localhost:8080/a"),
        ("failed: Connection refused.", "wget http://127.0.0.1:8080/b"),
        ("HTTPConnectionPool(host='localhost', port=8080): Max retries exceeded: [Errno 111] Connection refused", "python x.py"),
        ("localhost [127.0.0.1] 8080: Connection refused", "nc -z localhost 8080"),
        ("dial tcp 127.0.0.1:8080: connect: connection refused", "grpcurl list"),
    ],
    "localhost:5432 refuses connections": [
        ('psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused', "psql -l"),
    ],
    "no space is left on the disk": [
        ("cp: error writing '/w/b': No space left on device", "cp a b"),
        ("npm ERR! nospc ENOSPC: no space left on device, write", "npm ci"),
    ],
    "permission is denied in /srv/app": [
        ("mkdir: cannot create directory ‘/srv/app’: Permission denied", "mkdir /srv/app"),
        ("tee: /srv/app/app.conf: Read-only file system", "tee /srv/app/app.conf"),
    ],
    "`terraform` is not there": [
        ("bash: terraform: command not found", "terraform init"),
        ("/bin/sh: 1: terraform: not found", "terraform plan"),
        ("zsh: command not found: terraform", "terraform fmt"),
    ],
    "`flask` is not there": [("ModuleNotFoundError: No module named 'flask'", "python a.py")],
    "port 3000 is taken": [
        ("Error: listen EADDRINUSE: address already in use :::3000", "npm start"),
        ("OSError: [Errno 98] Port 3000 is already in use", "flask run -p 3000"),
        ("Bind for 0.0.0.0:3000 failed: port is already allocated", "docker run -p 3000:80 shop"),
    ],
    "the Docker daemon does not answer": [("Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "docker ps")],
    "": [
        ("Error: customer 17 not found", "get_customer 17"),
        ("Error: not found", "get_customer 18"),
        ("ls: cannot access '/etc/a': No such file or directory", "ls /etc/a"),
        ("AssertionError: assert 3 == 4", "pytest"),
        ("Connection refused", "connect"),
        ("String to replace not found in file.", "edit"),
        ("", ""),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "message", "asked"), [(name, *one) for name, of in WALLS.items() for one in of])
def test_a_wall_has_one_name(name, message, asked):
    assert name == wall(message, asked)

"""Secrets are taken out of excerpts, and nothing else is."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.rolling import secrets
from headway.rolling.secrets import MASK, excerpt, mask, masked, shapes
from tests.cost import grows_with_its_length_only

KEY = "Zm9vYmFy" + "1234567890abcdefABCDEF"  # written in parts, so that no scanner of repositories takes it for real
SECRETS = {
    "OpenAI": f"sk-proj-{KEY}",
    "Anthropic": f"sk-ant-api03-{KEY}",
    "Google": f"AIza{KEY}",
    "GitHub": f"ghp_{KEY}",
    "GitHub, fine-grained": f"github_pat_{KEY}",
    "GitLab": f"glpat-{KEY}",
    "Slack": f"xoxb-{KEY}",
    "Slack hook": f"https://hooks.slack.com/services/T00/{KEY}",
    "Stripe": f"sk_live_{KEY}",
    "Hugging Face": f"hf_{KEY}",
    "npm": f"npm_{KEY}",
    "AWS id": "AKIA" + "IOSFODNN7EXAMPLE",
    "md5crypt": "root:$1$abcdefgh$abcdefghij.klmnopqrstu",
    "SendGrid": "SG." + "abcdefghijkl.mnopqrstuvwx",
    "netrc with tabs": "machine\tapi.example.com\tlogin\tme\tpassword\thunter2x",
    "SQL without a space": "ALTER USER me PASSWORD'hunter2'",
    "a letter that lower case takes apart": "password_İx=hunter2secret9",
    "AWS secret": "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
    "web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP",
    "private key": f"-----BEGIN RSA PRIVATE KEY-----\n{KEY}\n{KEY}\n-----END RSA PRIVATE KEY-----",
    "half a private key": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{KEY}",
    "bearer": f"Authorization: Bearer {KEY}",
    "bearer alone": f"-H 'bearer {KEY}'",
    "basic": "Authorization: Basic dXNlcjpwYXNz",
    "address": "postgresql://me:hunter2!@db.example.com:5432/shop",
    "address without user": "redis://:hunter2!@cache:6379",
    "assignment": "DB_PASSWORD=hunter2!",
    "quoted assignment": "password = 'hunter2! and more'",
    "JSON": '{"api_key": "hunter2!", "n": 1}',
    "JSON in JSON": r'{\"password\": \"hunter2!\"}',
    "YAML": "  client_secret: hunter2!",
    "flag": "login --password hunter2! --verbose",
    "flag with =": "login --token=hunter2!hunter2!",
    "mysql": "mysql -u root -phunter2! shop",
    "curl": "curl -u me:hunter2! https://example.com",
    "connection string": "Server=db;User Id=me;Password=hunter2!;",
    "Azure": "AccountName=me;AccountKey=hunter2!+/==;",
    "query": f"https://example.com/?token={KEY}&page=2",
    "header": f"X-Api-Key: {KEY}",
    "cookie": "Set-Cookie: session=hunter2!; HttpOnly",
    "environment": "export DB_PASS=hunter2! && make",
    "environment, any name": "LEGACY_PASS='hunter2! x' API_TOKEN=hunter2 make",
    "environment, with a comma": "PGPASSWORD=hun,hunter2 psql",
    "address of a token": "git remote set-url origin https://hunter2hunter2@github.com/a/b",
    "address of a long word": "git clone https://hunterhunterhunterhunter2@github.com/a/b",
    "aws configure": "aws configure set aws_secret_access_key hunter2 --profile x",
    "aws session": "aws configure set aws_session_token hunter2",
    "npm settings": "npm config set //registry.example.com/:_authToken hunter2",
    "npm with =": "npm config set //registry.example.com/:_authToken=hunter2",
    ".npmrc": "//registry.example.com/:_auth=hunter2",
    "poetry": "poetry config pypi-token.pypi hunter2",
    "redis": "redis-cli -h cache -a hunter2 ping",
    "redis, long": "redis-cli --pass hunter2 ping",
    "mysql, long": "mysql --password hunter2 -u root",
    "mysql, quoted": "mysql -uroot -p'hunter2' shop",
    "mongo": "mongosh -u root -p hunter2 shop",
    "curl without a blank": "curl -ume:hunter2 https://example.com",
    ".netrc": "machine example.com login me password hunter2",
    ".netrc on lines": "machine example.com\n  login me\n  password hunter2\n",
    ".netrc printed": r"printf 'machine example.com\nlogin me\npassword hunter2\n' > ~/.netrc",
    ".netrc, one line": "login me\npassword hunter2!\n",
    "sshpass": "sshpass -p hunter2 ssh me@example.com",
    "docker": "docker login -u me -p hunter2 registry.example.com",
    "docker from a pipe": "echo hunter2 | docker login -u me --password-stdin",
    "sudo from a pipe": "echo 'hunter2' | sudo -S make install",
    "JSON, client": '{"client_secret": "hunter2!"}',
    "JSON with an escape": r'{"password": "a\"hunter2"}',
    "psql": "PGPASSWORD=hunter2 psql -h db",
    "YAML, password": "db:\n  password: hunter2\n  db_pass: hunter2\n",
    "DB_PWD": "DB_PWD=hunter2 make",
}  # fmt: skip
HEX = "89abcdef" + "01234567"
TOKENS = {
    "Vault": f"hvs.{KEY * 3}",
    "Vault, batch": f"hvb.{KEY * 5}",
    "Databricks": f"dapi{HEX * 2}",
    "GitLab, deploy": f"gldt-{KEY}",
    "GitLab, runner": f"glrt-{KEY}",
    "GitLab, job": f"glcbt-64_{KEY}",
    "GitLab, trigger": f"glptt-{HEX * 2}{HEX[:8]}",
    "Google, client": f"GOCSPX-{KEY}",
    "Supabase": f"sbp_{HEX * 2}{HEX[:8]}",
    "Notion": f"ntn_12345678901{KEY}",
    "Doppler": f"dp.pt.{KEY}{KEY}",
    "Pulumi": f"pul-{HEX * 2}{HEX[:8]}",
    "Terraform": f"abcdefghij1234.atlasv1.{KEY}{KEY}{KEY}",
    "Shopify, shared": f"shpss_{HEX * 2}",
    "Shopify, private": f"shppa_{HEX * 2}",
    "Sentry": f"sntryu_{HEX * 4}",
    "Sentry, organisation": f"sntrys_eyJpYXQiO{KEY}_{KEY}",
    "Postman": f"PMAK-{HEX}{HEX[:8]}-{HEX * 2}",
    "Heroku": f"HRKU-AA{KEY}{KEY}",
    "Telegram": "123456789:AA" + (KEY * 2)[:33],
    "Bedrock": f"ABSK{KEY * 4}",
    "age": "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "Slack, configuration": f"xoxe.xoxp-1-{KEY}",
    "Azure": f"abc8Q~{KEY}ab",
    "OpenShift": f"sha256~{KEY}{KEY[:13]}",
    "Dropbox": f"sl.{KEY * 5}",
    "behind an escaped line break": rf"a\nghp_{KEY}",
    "element": "<password>hunter2!</password>",
    "element with a name space": "<db:password>hunter2!</db:password>",
    "NuGet": '<add key="ClearTextPassword" value="hunter2!" />',
    "SQL": "CREATE USER me IDENTIFIED BY 'hunter2!';",
    "SQL, with a method": "ALTER USER 'me'@'%' IDENTIFIED WITH mysql_native_password BY 'hunter2!'",
    "SQL, role": "CREATE ROLE me LOGIN PASSWORD 'hunter2!'",
    "kubeconfig": f"    client-key-data: {KEY}{KEY}",
    "docker, configuration": '{"auths": {"registry.example.com": {"auth": "aHVudGVyMjpodW50ZXIy' + '"}}}',
    "Laravel": f"APP_KEY=base64:{KEY}{KEY}=",
    "unzip": "unzip -P hunter2! archive.zip",
    "7z": "7z x -phunter2! archive.7z",
    "keytool": "keytool -list -keystore a.jks -storepass hunter2! -keypass hunter2!",
    "openssl": "openssl rsa -in key.pem -passin pass:hunter2! -out k",
    "hash of a password": f"root:$6$saltsalt${KEY}:19000:0:99999:7:::",
    "bcrypt": f"$2b$12${KEY}{KEY[:23]}",
    "a name that sounds secret": f"signing_key = {KEY}",
    "a short name that sounds secret": f"salt: '{KEY}'",
    "a name with a type": "const apiKey: string = 'hunter2!';",
    "a password with a bracket": "DB_PASSWORD=hunter2(x make",
}
TELLING = ("hunter2", KEY, HEX, "aHVudGVyMj", "GF2TVDW0S3", "wJalr", "IOSFODNN7", "dBjftJ", "dXNlcj")

HONEST = (
    "def login(user: str, password: str | None = None) -> Token:",
    "max_tokens=4096, token_count: 5012, total_tokens = 88123",
    "SyntaxError: Unexpected token: foo in line 3",
    "password=$DB_PASSWORD token=${TOKEN} api_key=<your key>",
    "git commit -m 'tokenise words: 12 cases'",
    "the secret of success: work",
    "task-specific-things-for-everybody sk-learn risk-based-approach-to-all",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "https://example.com:8080/a/b?c=d https://user@example.com",
    "basic arithmetic and digest functions; a bearer of news",
    "src/auth/token_store.py:12: def test_password_reset(): ...",
    "pytest -p no:cacheprovider -k 'not secret' --keyword value",
    "the password field and the pass rate: pass the test, passed 12 of 12, bypass=1",
    "PASS: test_login PASS=12 FAIL=0 tests_pass=12 first_pass = parse(text); two_pass: bool",
    "go test ./... --pass-through --passes 3 && echo passed | tee log",
    "PWD=/home/me/project OLDPWD=/home/me make",
    "docker run -u 1000:1000 -p 8080:80 image; docker compose up; podman ps",
    "mysql -u root -p shop; mysql -P3306 -h db; mkdir -p a/mysql",
    "git config user.name me; npm config set registry https://example.com/; aws configure set region eu-west-1",
    "https://me1@example.com/a git@github.com:a/b.git ssh://git@example.com/a https://medium.com/@someone12345678901",
    "redis-cli -h cache ping; sshpass -f file ssh host; echo done | sudo tee log; echo $TOKEN | docker login --password-stdin",
    "login page\npassword reset\nforgotten password\n",
    "MAX_TOKEN=4096 TOKEN=$CI_TOKEN SECRET=${VAULT} CREDENTIALS=/run/secrets/db TOKEN=",
    "curl -u me https://example.com:8080 && docker exec -u root:root web ls",
    "username, password = get_auth_from_url(proxies[scheme])",
    "http://your_username:your_password@your_proxy:8080 f'://{username}:{password}@'",
    "export OPENROUTER_API_KEY=sk-or-... && tool --api-key <key>",
    "String password = new String(bytes); const apiKey = await getApiKey(model)",
    "tests pass: 12, pass:12 fail:0",
    "path.join(access-control, test_collection_of_values_is_sorted, live_updates_of_the_whole_table_view)",
    "<token>identifier</token> is what <password>${env.PASSWORD}</password> would be",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bb822cd15d6c15b0f00a08",
    "cache_key = 3f786850e387550fdab836ed7e6dc881de23001b session: 014df517-39d1-4453-b7b3-9930c563627c",
    "pyproject-api-1.8.0 hf_hub_download_with_retries_and_backoff npm_config_registry_default_value",
    "SKIPPED tests/test_a.py re_compile_patterns_for_everything key-value-store-with-a-long-name",
)


MARKS = [mark for marks in (*secrets._beginnings().values(), secrets._inside()) for mark, _ in marks]
HINTS = (*secrets._NAMES, *MARKS, *(hint for hints, _ in secrets._PLACES for hint in hints))


@pytest.mark.parametrize("text", [*SECRETS.values(), *TOKENS.values()], ids=[*SECRETS, *TOKENS])
def test_a_secret_is_masked(text):
    shown = mask(f"before {text} after")
    assert MASK in shown and shown.startswith("before ")
    assert not [word for word in TELLING if word in shown]


@pytest.mark.parametrize("text", HONEST)
def test_honest_text_stays_as_it_is(text):
    assert text == mask(text)


def test_what_stands_around_a_secret_stays():
    assert "psql postgres://me:[masked]@db/shop -c 'select 1'" == mask(
        "psql postgres://me:hunter2@db/shop -c 'select 1'"
    )
    assert '{"password": "[masked]", "user": "me"}' == mask('{"password": "hunter2", "user": "me"}')


@given(
    st.lists(
        st.sampled_from([*SECRETS.values(), *TOKENS.values(), *HONEST, *HINTS, " ", "=", ": ", '"', "x1"]), max_size=6
    )
)
def test_looking_for_hints_first_changes_nothing(parts):
    """The quick way round is right: whatever the pattern would mask holds a hint. A token has a long run in it."""
    text = "".join(parts)
    masked = secrets._VALUES.sub(secrets._masked, text)
    for _, secret in secrets._PLACES:
        masked = secret.sub(secrets._masked, masked)
    for secret in map(secrets._shape, range(len(shapes()))) if secrets._LONG_RUN.search(masked) else ():
        masked = secret.sub(secrets._masked, masked)
    assert masked == mask(text)


@pytest.mark.parametrize("text", [*SECRETS.values(), *TOKENS.values()], ids=[*SECRETS, *TOKENS])
def test_what_is_masked_stays_as_it_is(text):
    """What was kept is shown later, and masked a second time."""
    assert mask(text) == mask(mask(text))


@given(st.text(max_size=300))
def test_any_text_can_be_masked(text):
    assert isinstance(mask(text), str)


@pytest.mark.parametrize("limit", range(20, 90, 7))
def test_an_excerpt_never_ends_in_half_a_secret(limit):
    shown = excerpt(f"export A=1 OPENAI=sk-proj-{KEY * 30} then something else that is long enough to be cut", limit)
    assert len(shown) <= limit and "Zm9v" not in shown


def test_an_excerpt_is_one_line_and_says_that_it_was_cut():
    assert "a b c" == excerpt(" a\n\n b\tc ", 20)
    assert "one two three…" == excerpt("one two three four five", 15)


@pytest.mark.parametrize(
    "piece",
    [
        "a://", "token", "token:", "://a:", "--", "mysql ", "eyJ", "-----BEGIN ", "<password>", "identified by ", "sk-", "A", "1234567890:",
        "create user password", "pat.",
    ],
)  # fmt: skip
def test_hostile_text_takes_no_longer_than_its_length_deserves(piece):
    assert grows_with_its_length_only(mask, piece, 20_000)


def test_the_data_are_those_of_the_file():
    """`make data` writes the JSON file from the file."""
    told = tomllib.loads((Path(secrets.__file__).parent / "secrets.toml").read_text("utf-8"))
    assert told["shapes"] == shapes()


def test_every_kind_of_token_can_be_looked_up_by_its_beginning():
    starts = [start for shape in shapes() for start in shape.get("starts", ())]
    short = [start for start in starts if secrets._WORDS.match(start)[0][:3] != start[:3]]
    assert [] == short


@pytest.mark.parametrize("start", ["ghp_", "sk-proj-", "xoxb-", "AKIA"])
def test_a_token_is_known_in_a_name_whose_parts_underscores_join(start):
    token = f"{start}{KEY.upper()}1A"
    assert f"mcp__files__{start}"[:14] in mask(f"mcp__files__{token}") and token not in mask(f"mcp__files__{token}")


def test_a_name_of_words_stays_as_it_is():
    names = ("client_secret_rotation_v2", "test_hf_hub_download_2", "upload_to_pypi-index-2", "MY_API-NAMES_2_OF_ALL")
    assert [*names] == [mask(name) for name in names]


def test_data_that_are_nested_deep_are_masked_as_a_whole():
    data = "hunter2"
    for _ in range(900):
        data = [{"a": data}]
    assert "hunter2" not in str(masked(data))
    assert {"a": [{"password": MASK}, "b"]} == masked({"a": [{"password": "hunter2"}, "b"]})


BEGIN, END = (f"-----{word} RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))


@pytest.mark.parametrize(
    "text",
    [
        f'PRIVATE_KEY="{BEGIN}\nMIIEbody\n{END}"',
        f"PRIVATE_KEY={BEGIN}\nMIIEbody\n{END}",
        f"private_key: '{BEGIN}\nMIIEbody\nno end",
        f'{{"apikey": "{BEGIN}\\nMIIEbody\\n{END}"}}',
    ],
)
def test_a_key_behind_a_name_is_masked_to_its_end(text):
    assert "MIIEbody" not in mask(text)


@pytest.mark.parametrize("before", ["\x1b[01;31m\x1b[K", "\x1b[32m", "%20", "%3D", "token=%3D"])
def test_a_token_is_known_after_a_colour_and_after_an_escaped_sign(before):
    assert KEY not in mask(f"{before}ghp_{KEY}")

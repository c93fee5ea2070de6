r"""Keys, tokens and passwords in a text, replaced by `[masked]` before anybody is shown it.

Known by their shape (the keys of common services, web tokens, private key blocks) or by their place (after `Bearer`, in
the address of a server, behind a name such as `password`, as an argument of `mysql -p`). Meant for excerpts: not for
megabytes, and not at step time. What has neither shape nor telling place cannot be known.

>>> mask("curl -H 'Authorization: Bearer abc123def456' https://me:pa55@example.com")
"curl -H 'Authorization: [masked]' https://me:[masked]@example.com"
"""

import re
from typing import Any

from headway.rolling.regex import regex

MASK = "[masked]"
MARGIN = 400
"""Characters looked at beyond the end of an excerpt, so that its end cannot show half of a secret."""

# Each alternative captures what stays in front of the secret, and nothing else.
_SHAPES = r"""(?-i:
    ( \b(?: sk-(?:ant-|proj-|or-|svcacct-|lf-)? | pk-lf- | [srp]k_(?:live|test)_ | xai- | gsk_ | hf_ | r8_ | pplx-
          | tvly- | nvapi- | gh[pousr]_ | github_pat_ | glpat- | glsa_ | npm_ | pypi- | dop_v1_
          | shpat_ | lin_api_ | lsv2_(?:pt|sk)_
          | xox[abeprs]- | xapp- | whsec_ | AIza | ya29\. | figd_ | ATATT3 | SG\.
    ) ) [\w.+/=-]{12,}
  | ( \b(?: AKIA | ASIA | ABIA | ACCA ) ) [0-9A-Z]{12,}
  | ( \beyJ ) [\w-]{6,} \. [\w-]{6,} (?: \.[\w-]* )?
  | ( -----BEGIN[ ][A-Z0-9 ]*PRIVATE[ ]KEY(?:[ ]BLOCK)?----- ) .*? (?: -----END[ ][A-Z0-9 ]*KEY(?:[ ]BLOCK)?----- | \Z )
)"""
_WEBHOOKS = r"""
    ( \b(?: hooks\.slack\.com/(?:services|workflows)/ | discord(?:app)?\.com/api/webhooks/ ) ) [\w/-]{8,}
"""
_HEADERS = r"""
    ( \b(?: bearer | basic | digest | apikey )[ ]+ ) (?=\S*[\d=]) [\w.~+/=:-]{8,}
  | ( \b(?: set- )?cookie:[ ]* ) [^\n"']+
"""
_ADDRESSES = r"""( :/{1,2}[^\s/:@"'<>]*: ) [^\s/@"'<>] [^\s@"'<>]* (?=@)"""
_LINKS = r"""
    ( : (?: (?<=\bhttp:) | (?<=\bhttps:) ) /{1,2} )
    (?= [^\s/:@"'<>]{20} | [^\s/:@"'<>\d]*\d ) [^\s/:@"'<>]{10,} (?=@)
"""
_USERS = r"""
    ( \B(?: -u | --user | --proxy-user )[ =]?["']?[\w.@%+-]+: )
    (?! (?: \d+ | root | users | staff | node | www-data )(?![^\s"']) | // ) [^\s"']+
"""
_END = r"""(?![\w-]) [^\n|;&]{0,200}? \s"""  # further words of the same command
_GAP = r"""(?: \s | \\[nt] )+"""  # also as an argument of printf
_COMMANDS = rf"""
    ( \b(?: mysql | mysqldump | mysqladmin | mysqlsh | mariadb | mariadb-dump ){_END} (?-i:-p)["']? ) [^\s"']+
  | ( \bsshpass[ ]+(?-i:-p)[ ]?["']? | \bredis-cli{_END} (?: -a | --pass )[ =]+["']?
    | \b(?: docker | podman | nerdctl | buildah | skopeo | registry | az | oc )[ ]+login{_END} (?-i:-p)[ =]?["']?
    | \bmongo(?: sh | dump | restore | export | import )?{_END} (?-i:-p)[ =]?["']? ) (?![-$]) [^\s"']+
  | ( \b(?: echo | printf )[ ]+(?:-n[ ]+)?["']? ) [^\s"'$|][^\s"'|]*
    (?= ["']?[ ]*\|[^\n|;&]{{0,80}}[ ](?: --password-stdin | --with-token | -S )(?![\w-]) )
  | ( \bmachine{_GAP}[^\s\\]+{_GAP}login{_GAP}[^\s\\]+{_GAP}password{_GAP} ) [^\s"'\\]+
  | ( \blogin{_GAP}[^\s\\]+{_GAP}password{_GAP} | (?m:^)[ \t]*password[ \t]+(?=\S+\s*?(?m:$)) )
    (?= \S*[\d!@#$%^&*+=] ) [^\s"'\\]+
"""
_SURE = (
    r"passw(?:or)?d | passphrase | (?<![a-z])pwd | (?:api|access|account|private|signing|encryption|secret)[_-]?key"
    r" | client[_-]?secret | auth[_-]?token | access[_-]?token | session[_-]?token | authorization | (?<=[/:])_auth"
    r" | (?:db|database|user|root|admin|mysql|pg|sql|postgres|redis|mongo|smtp|mail|ftp|ssh|sudo|login)[_-]pass"
    r" | dbpass"
)
_LIKELY = r"secret | token | credentials? | signature | [?&]sig"
_NO_VALUE = r"""(?: [$<{(\[] | \\*["']?[$<{\[] | (?:os|env|self)\.
    | (?:none|null|true|false|str|int|bool|bytes|string|optional)\b )"""
_NAMED = rf"""
    ( --[\w-]{{0,30}}? (?: {_SURE} | {_LIKELY} )[ ]+["']? ) (?!-) [^\s"']+
  | ( \b(?: config(?:ure)?[ ]+set | (?:git|poetry|pip|npm|yarn)[ ]+config )(?:[ ]+--?[\w-]+)*
      [ ]+[^\s=]{{0,200}}? (?: {_SURE} | {_LIKELY} | :_auth )[\w.-]{{0,60}}[ =]+["']? ) (?![-$]) [^\s"']+
  | ( (?-i: (?: (?<![A-Z])PASS | PASSWORD | PASSWD | PASSPHRASE | TOKEN | SECRET | CREDENTIALS? )= ) )
    (?! ["']?\d+(?![^\s"',;)]) | [~./] | {_NO_VALUE} ) (?: "(?:[^"\\\n]|\\.)+ | '[^'\n]+ | [^\s"'\\;&|]+ )
  | ( (?: {_SURE} )(?:[_-]\w{{1,12}})? \\*["']?\s{{0,3}}(?: =>? | := | : )\s{{0,3}} )
    (?! (?<=pwd=)["']?[/.~] | {_NO_VALUE} )
    (?: "(?:[^"\\\n]|\\.)+ | \\+"[^"\\\n]+ | \\*'[^'\\\n]+ | (?:(?:bearer|basic|token)[ ]+)? [^\s"'\\,;&|)}}\]]+ )
  | ( (?: {_LIKELY} )(?:[_-]\w{{1,12}})? \\*["']?\s{{0,3}}(?: =>? | := | : )\s{{0,3}} )
    (?= \\*["']? [^\s"']* (?: \d[^\s"']*[a-z_+/=-] | [a-z_+/=-][^\s"']*\d ) )
    (?: \\*"[^"\\\n]{{8,}} | \\*'[^'\\\n]{{8,}} | [^\s"'\\,;&|)}}\]]{{8,}} )
"""
_FLAGS = re.VERBOSE | re.IGNORECASE | re.DOTALL
_KINDS = (  # what is named first: its value may have a shape too
    (
        ("passw", "passphrase", "pass=", "_pass", "-pass", "dbpass", "pwd", "key", "secret", "token", "authorization",
         ":_auth", "/_auth", "credential", "signature", "sig"),
        regex(_NAMED, _FLAGS),
    ),
    (
        ("mysql", "mariadb", "mongo", "redis-cli", "sshpass", " login", "password", "--with-token", " -s"),
        regex(_COMMANDS, _FLAGS),
    ),
    (("hooks.slack", "webhooks/"), regex(_WEBHOOKS, _FLAGS)),
    (("bearer", "basic", "digest", "apikey", "cookie"), regex(_HEADERS, _FLAGS)),
    ((":/",), regex(_ADDRESSES, _FLAGS)),
    ((":/",), regex(_LINKS, _FLAGS)),
    (("-u",), regex(_USERS, _FLAGS)),
    (
        ("sk-", "pk-lf-", "k_live_", "k_test_", "xai-", "gsk_", "hf_", "r8_", "pplx-", "tvly-", "nvapi-", "ghp_",
         "gho_", "ghu_", "ghs_", "ghr_", "glpat-", "glsa_", "npm_", "pypi-", "dop_v1_", "pat_", "lin_api_", "lsv2_",
         "xox", "xapp-", "whsec_", "aiza", "ya29.", "figd_", "atatt3", "sg.", "akia", "asia", "abia", "acca", "eyj",
         "-----begin"),
        regex(_SHAPES, _FLAGS),
    ),
)  # fmt: skip
"""Words, one of which is in every text that holds such a secret, and the pattern. Looking for words is cheap."""
_OPENING = regex(r"\\*[\"']?")
_NOT_QUOTABLE = regex(r"[\s\"'\\]+")


def mask(text: str) -> str:
    """The text with every secret that can be recognised taken out."""
    lowered = text.lower()
    for hints, secret in _KINDS:
        for hint in hints:
            if hint in lowered:
                text = secret.sub(_masked, text)
                break
    return text


def masked(value: Any) -> Any:
    """Plain data without secrets: also those that only the name beside them or the word before them tells."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_masked_items(value))
    if isinstance(value, dict):
        return {_masked_name(name): _masked_entry(name, item) for name, item in value.items()}
    return value


def excerpt(text: str, limit: int) -> str:
    """The beginning of a text on one line, at most `limit` characters of it, without secrets."""
    looked_at = text[: limit + MARGIN]
    if len(looked_at) < len(text):  # the last word may be half of something
        looked_at = looked_at.rpartition(" ")[0] or looked_at[:limit]
    shown = mask(" ".join(looked_at.split()))
    return shown if len(shown) <= limit and len(looked_at) == len(text) else shown[: limit - 1].rstrip() + "…"


def _masked_items(items: list[Any] | tuple[Any, ...]) -> list[Any]:
    """As many items as before. A list of texts may be a command line, where one word tells of the next."""
    shown = [masked(item) for item in items]
    if len(items) < 2 or not all(isinstance(item, str) for item in items):
        return shown
    line = mask(" ".join(items))
    return shown if line == " ".join(shown) else [item if item in line else MASK for item in shown]


def _masked_name(name: Any) -> Any:
    return mask(name) if isinstance(name, str) else name


def _masked_entry(name: Any, item: Any) -> Any:
    if isinstance(name, str) and isinstance(item, str):
        value = _NOT_QUOTABLE.sub("", item[:80])
        if value and mask(f"{name}='{value}'") == f"{name}='{MASK}'":
            return MASK
    return masked(item)


def _masked(found: re.Match[str]) -> str:
    before = found[found.lastindex or 0]
    opening = _OPENING.match(found.string, found.start() + len(before))
    return before + (opening[0] if opening else "") + MASK

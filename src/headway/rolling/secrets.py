r"""Keys, tokens and passwords in a text, replaced by `[masked]` before anybody is shown it.

Known by their shape (the keys of common services, web tokens, private key blocks) or by their place (after `Bearer`, in
the address of a server, behind a name such as `password`). One pass of one pattern, meant for excerpts: not for
megabytes, and not at step time. What has neither shape nor telling place cannot be known.

>>> mask("curl -H 'Authorization: Bearer abc123def456' https://me:pa55@example.com")
"curl -H 'Authorization: [masked]' https://me:[masked]@example.com"
"""

import re

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
_PLACES = r"""
  | ( \b(?: hooks\.slack\.com/(?:services|workflows)/ | discord(?:app)?\.com/api/webhooks/ ) ) [\w/-]{8,}
  | ( \b(?: bearer | basic | digest | apikey )[ ]+ ) (?=\S*[\d=]) [\w.~+/=:-]{8,}
  | ( ://[^\s/:@"'<>]*: ) [^\s/@"'<>] [^\s@"'<>]* (?=@)
  | ( \B(?: -u | --user | --proxy-user )[ =]["']?[\w.@%+-]+: ) [^\s"']+
  | ( \b(?: mysql | mysqldump | mysqladmin | mariadb )\b[^\n|;&]{0,80}?[ ]-p | \bsshpass[ ]+-p[ ]?["']? ) [^\s"']+
  | ( \b(?: set- )?cookie:[ ]* ) [^\n"']+
"""
_SURE = (
    r"passw(?:or)?d | passphrase | \bpwd | (?:api|access|account|private|signing|encryption|secret)[_-]?key"
    r" | client[_-]?secret | auth[_-]?token | access[_-]?token | authorization"
)
_LIKELY = r"secret | token | credentials? | signature | [?&]sig"
_NAMED = rf"""
  | ( --[\w-]{{0,30}}? (?: {_SURE} | {_LIKELY} )[ ]+["']? ) (?!-) [^\s"']+
  | ( (?: {_SURE} )(?:[_-]\w{{1,12}})? \\*["']?\s{{0,3}}(?: =>? | := | : )\s{{0,3}} )
    (?! [$<{{(\[] | \\*["']?[$<{{\[] | (?:none|null|true|false|str|int|bool|bytes|string|optional)\b
        | (?:os|env|self)\. )
    (?: \\*"[^"\\\n]+ | \\*'[^'\\\n]+ | (?:(?:bearer|basic|token)[ ]+)? [^\s"'\\,;&|)}}\]]+ )
  | ( (?: {_LIKELY} )(?:[_-]\w{{1,12}})? \\*["']?\s{{0,3}}(?: =>? | := | : )\s{{0,3}} )
    (?= \\*["']? [^\s"']* (?: \d[^\s"']*[a-z_+/=-] | [a-z_+/=-][^\s"']*\d ) )
    (?: \\*"[^"\\\n]{{8,}} | \\*'[^'\\\n]{{8,}} | [^\s"'\\,;&|)}}\]]{{8,}} )
"""
_SECRET = regex(_SHAPES + _PLACES + _NAMED, re.VERBOSE | re.IGNORECASE | re.DOTALL)
_HINTS = (
    "sk-", "pk-lf-", "k_live_", "k_test_", "xai-", "gsk_", "hf_", "r8_", "pplx-", "tvly-", "nvapi-", "ghp_", "gho_",
    "ghu_", "ghs_", "ghr_", "glpat-", "glsa_", "npm_", "pypi-", "dop_v1_", "pat_", "lin_api_",
    "lsv2_", "xox", "xapp-", "whsec_", "aiza", "ya29.", "figd_", "atatt3", "sg.", "akia", "asia", "abia", "acca",
    "eyj", "hooks.slack", "webhooks/", "bearer", "basic", "digest", "://", "-u",
    "mysql", "mariadb", "sshpass", "cookie", "passw", "passphrase", "pwd", "key", "secret", "token", "authorization",
    "credential", "signature", "sig",
)  # fmt: skip
"""One of these is in every text that holds a secret. Most texts hold none, and looking for words is cheap."""
_OPENING = regex(r"\\*[\"']?")


def mask(text: str) -> str:
    """The text with every secret that can be recognised taken out."""
    lowered = text.lower()
    for hint in _HINTS:
        if hint in lowered:
            return _SECRET.sub(_masked, text)
    return text


def excerpt(text: str, limit: int) -> str:
    """The beginning of a text on one line, at most `limit` characters of it, without secrets."""
    looked_at = text[: limit + MARGIN]
    if len(looked_at) < len(text):  # the last word may be half of something
        looked_at = looked_at.rpartition(" ")[0] or looked_at[:limit]
    shown = mask(" ".join(looked_at.split()))
    return shown if len(shown) <= limit and len(looked_at) == len(text) else shown[: limit - 1].rstrip() + "…"


def _masked(found: re.Match[str]) -> str:
    before = found[found.lastindex or 0]
    opening = _OPENING.match(found.string, found.start() + len(before))
    return before + (opening[0] if opening else "") + MASK

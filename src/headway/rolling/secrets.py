r"""Keys, tokens and passwords in a text, replaced by `[masked]` before anybody is shown it.

Known by their shape (the keys of common services, in `secrets.toml`; private key blocks) or by their place (after
`Bearer`, in the address of a server, behind a name such as `password`, as an argument of `mysql -p`). Meant for
excerpts, not for megabytes. What has neither shape nor telling place cannot be known. `bench/masking.py` measures it.

>>> mask("curl -H 'Authorization: Bearer abc123def456' https://me:pa55@example.com")
"curl -H 'Authorization: [masked]' https://me:[masked]@example.com"
"""

import json
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from headway.rolling.lazy import packaged_bytes, regex
from headway.rolling.text import has_any

MASK = "[masked]"
DEEPEST = 64
"""Levels of plain data that are looked through; what is nested deeper is masked as a whole."""
MARGIN = 400
"""Characters looked at beyond the end of an excerpt, so that its end cannot show half of a secret."""

# In these patterns, each alternative captures what stays in front of the secret, and nothing else.
_HEADERS = r"""
    ( \b(?: bearer | basic | digest | apikey )[ ]+ ) (?=\S*[\d=]) [\w.~+/=:-]{8,}
  | ( \b(?: set- )?cookie:[ ]* ) [^\n"']+
"""
_BLOCKS = r"""
    ( -----BEGIN[ ][A-Z0-9 ]*PRIVATE[ ]KEY(?:[ ]BLOCK)?----- ) .*? (?: -----END[ ][A-Z0-9 ]*KEY(?:[ ]BLOCK)?----- | \Z )
"""
_ADDRESSES = r"""
    ( :/{1,2}[^\s/:@"'<>]*: ) (?! (?: (?:your|my)[\w-]* | pass(?:word|wd)? | secret )@ | [{$%] )
    [^\s/@"'<>] [^\s@"'<>]{0,200} (?=@)
"""
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
  | ( \b(?: unzip | zip ){_END} (?-i:-P)[ ]?["']? | \b7z[ar]?{_END} (?-i:-p)["']? ) (?![-$]) [^\s"']+
  | ( [ ]-(?: src | dest | new )?(?: store | key )pass(?: wd )?[ =]+["']? ) (?![-$]) [^\s"']+
  | ( (?<![\w.])pass: ) (?! \d+(?!\w) | [$"'\[{{(] ) [^\s"'\\,;)]{{3,}}
  | ( \b(?: echo | printf )[ ]+(?:-n[ ]+)?["']? ) [^\s"'$|][^\s"'|]*
    (?= ["']?[ ]*\|[^\n|;&]{{0,80}}[ ](?: --password-stdin | --with-token | -S )(?![\w-]) )
  | ( \bmachine{_GAP}[^\s\\]+{_GAP}login{_GAP}[^\s\\]+{_GAP}password{_GAP} ) [^\s"'\\]+
  | ( \blogin{_GAP}[^\s\\]+{_GAP}password{_GAP} | (?m:^)[ \t]*password[ \t]+(?=\S+\s*?(?m:$)) )
    (?= \S*[\d!@#$%^&*+=] ) [^\s"'\\]+
"""
_ELEMENTS = r"""
    ( <[\w:.-]{0,30}? (?: passw(?:or)?d | passphrase | secret | api[_-]?key | access[_-]?key | token )[\w.-]{0,20}> )
    (?! \s*[<$%{] | [a-z_-]+< ) [^<\n]+ (?= </ )
"""
_ATTRIBUTES = r"""( \bkey="[^"]{0,40}?(?: password | passwd | secret | token | key )"\s+value=" ) (?! [$%{] ) [^"]+"""
_STATEMENTS = r"""
    ( \bidentified\s+(?: with\s+\S+\s+ )?(?: by | as )\s+(?: password\s+ )?\\*["'] ) [^"'\n\\]+
  | ( \b(?: role | user | login )\b[^\n;]{0,200}?\bpassword[ ]?=?[ ]?' ) [^'\n\\]+
  | ( "auth"\s*:\s*" ) [A-Za-z0-9+/]{8,}={0,2} (?=")
"""
_SURE = (
    r"passw(?:or)?d | passphrase | (?<![a-z])pwd | (?:api|access|account|private|signing|encryption|secret)[_-]?key"
    r" | client[_-]key[_-]data | client[_-]?secret | auth[_-]?token | access[_-]?token | session[_-]?token"
    r" | authorization | (?<=[/:])_auth"
    r" | (?:db|database|user|root|admin|mysql|pg|sql|postgres|redis|mongo|smtp|mail|ftp|ssh|sudo|login)[_-]pass"
    r" | dbpass"
)
_LIKELY = r"secret | token | credentials? | signature | [?&]sig"
_SOUNDS = r"key | auth | creds? | salt | jwt | cookie | session | license"
_NO_VALUE = r"""(?: [$<{(\[] | \\*["']?[$<{\[] | (?:os|env|self|process|request|settings)\. | [\w-]{0,20}\.{3}
    | (?:none|null|true|false|str|int|bool|bytes|string|optional|new|await)\b | (?<=[ ])[a-z_][\w.]{0,60}[(\[] )"""
_NAMED = rf"""
    (?= [-ac-gj-npr-uy_?&] ) (?:  # every name begins with one of these: most places are ruled out at once
    ( --[\w-]{{0,30}}? (?: {_SURE} | {_LIKELY} )[ ]+["']? ) (?! [-$<{{\[] ) [^\s"']+
  | ( \b(?: config(?:ure)?[ ]+set | (?:git|poetry|pip|npm|yarn)[ ]+config )(?:[ ]+--?[\w-]+)*
      [ ]+[^\s=]{{0,200}}? (?: {_SURE} | {_LIKELY} | :_auth )[\w.-]{{0,60}}[ =]+["']? ) (?![-$]) [^\s"']+
  | ( (?-i: (?: (?<![A-Z])PASS | PASSWORD | PASSWD | PASSPHRASE | TOKEN | SECRET | CREDENTIALS? )= ) )
    (?! ["']?\d+(?![^\s"',;)]) | [~./] | {_NO_VALUE} ) (?: "(?:[^"\\\n]|\\.)+ | '[^'\n]+ | [^\s"'\\;&|]+ )
  | ( (?: {_SURE} )(?:[_-]\w{{1,12}})? \\*["']?\s{{0,3}}(?: =>? | := | : )\s{{0,3}} )
    (?! (?<=pwd=)["']?[/.~] | {_NO_VALUE} )
    (?: "(?:[^"\\\n]|\\.)+ | \\+"[^"\\\n]+ | \\*'[^'\\\n]+ | (?:(?:bearer|basic|token)[ ]+)? [^\s"'\\,;&|)}}\]]+ )
  | ( (?: {_SURE} | {_LIKELY} )(?:[_-]\w{{1,12}})?\s{{0,3}}:[ ]?[\w&.|\[\] ]{{2,20}}=[ ]? )
    (?: "[^"\n]{{6,}} | '[^'\n]{{6,}} )
  | ( (?: {_SOUNDS} )\\*["']?\s{{0,3}}(?: =>? | := | : )\s{{0,3}}\\*["']? )
    (?-i: (?=[\w+/=-]{{0,40}}[a-z]) (?=[\w+/=-]{{0,40}}[A-Z]) (?=[\w+/=-]{{0,40}}\d) ) [\w+/=-]{{24,}} (?![\w.(])
  | ( (?: {_LIKELY} )(?:[_-]\w{{1,12}})? \\*["']?\s{{0,3}}(?: =>? | := | : )\s{{0,3}} )
    (?= \\*["']? [^\s"'\d]{{0,161}}+ \d )  # no digit, no secret: the next line takes much longer to rule it out
    (?= \\*["']? [^\s"']{{0,80}} (?: \d[^\s"']{{0,80}}[a-z_+/=-] | [a-z_+/=-][^\s"']{{0,80}}\d ) )
    (?: \\*"[^"\\\n]{{8,}} | \\*'[^'\\\n]{{8,}} | [^\s"'\\,;&|)}}\]]{{8,}} ) )
"""
_FLAGS = re.VERBOSE | re.IGNORECASE | re.DOTALL
_NAMES = (
    "pass", "pwd", "key", "secret", "token", "auth", "cred", "sig", "salt", "jwt", "cookie", "session", "license",
)  # fmt: skip
_VALUES = regex(_NAMED, _FLAGS)  # what is named comes first: its value may have a shape too
_KEYS = regex(_BLOCKS, _FLAGS)
_COLOUR = regex(r"\x1b\[[0-9;?]*[A-Za-z]")
_PLACES = (
    (("</",), regex(_ELEMENTS, _FLAGS)),
    (('value="',), regex(_ATTRIBUTES, _FLAGS)),
    (("identified", "password '", "password='", "password'", '"auth"'), regex(_STATEMENTS, _FLAGS)),
    (
        ("mysql", "mariadb", "mongo", "redis-cli", "sshpass", " login", "password", "--with-token", " -s", "zip ", "7z",
         "storepass", "keypass", "pass:"),
        regex(_COMMANDS, _FLAGS),
    ),
    (("bearer", "basic", "digest", "apikey", "cookie"), regex(_HEADERS, _FLAGS)),
    ((":/",), regex(_ADDRESSES, _FLAGS)),
    ((":/",), regex(_LINKS, _FLAGS)),
    (("-u",), regex(_USERS, _FLAGS)),
)  # fmt: skip
"""Words, one of which is in every text that holds such a secret, and the pattern. Looking for words is cheap."""
_HINTS = tuple({hint: None for hints, _ in _PLACES for hint in hints if not any(name in hint for name in _NAMES)})
"""Those that are no names themselves."""
_ASSIGNED = regex(
    r"(?:pass(?:w(?:or)?d|phrase)?|pwd|key(?:[_-]data)?|secret|token|auth(?:orization)?|cred(?:ential)?s?|sig(?:nature)?"
    r"|salt|jwt|cookie|session|license)(?:[_-]\w{1,12})?\\*[\"']?\s{0,3}[=:]"
    r"|--[\w?&-]{1,50} |config(?:ure)? |[ſı\u0307]"
)
"""What every text has in it, in lower case, that names a secret and gives it a value; or a letter that patterns take
for an s or an i."""
_SHORTEST = 15
"""Characters that every token has at least, with no space between them."""
_LONG_RUN = regex(rf"[A-Za-z0-9_+=~%.$-]{{{_SHORTEST}}}")
"""What every token has in it somewhere, and few other words."""
_WORDS = regex(r"\$?[A-Za-z0-9_]+[.:~$-]?")
_SHORT = 1_000
"""Longer texts are not remembered."""
_BEGINNING = 3
"""Letters by which the beginning of a token is looked up."""
_BEFORE = (
    r"(?:(?<!\w)|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f])"
    r"|(?<=_)(?=[\w.+/=-]{0,80}\d)(?=[\w.+/=-]{0,80}[A-Z]))"
)
"""Where a token may begin: not in a word, unless that is the end of an escaped line break or sign. In a name it
may also follow an underscore, if what follows has a digit and a capital letter."""
_JOINED = regex(rf"_(?=(.{{{_BEGINNING}}}))")
"""How the parts of a name begin that underscores join."""


@cache
def shapes() -> list[dict[str, Any]]:
    """The kinds of keys and tokens. Read with `json`, because a fault is masked even if msgspec cannot be imported."""
    found: list[dict[str, Any]] = json.loads(packaged_bytes("rolling/secrets.json"))["shapes"]
    return found


@cache
def _shape(number: int) -> re.Pattern[str]:
    """The pattern of one kind of token: what it begins with stays. `W` is short for letters, digits, _ and -."""
    given = shapes()[number]
    token = (given.get("whole") or given["rest"]).replace("W", r"[\w-]")
    before = "|".join(map(re.escape, given.get("starts", ("",))))
    return re.compile(f"({_BEFORE}(?:{before})){token}")


@cache
def _beginnings() -> dict[str, list[tuple[str, int]]]:
    """How tokens begin, by the first letters of that, each with the number of its pattern."""
    found: dict[str, list[tuple[str, int]]] = {}
    for number, given in enumerate(shapes()):
        for start in given.get("starts", ()):
            found.setdefault(start[:_BEGINNING], []).append((start, number))
    return found


@cache
def _inside() -> list[tuple[str, int]]:
    """What tokens have in their middle, each with the number of its pattern."""
    return [(mark, number) for number, given in enumerate(shapes()) for mark in given.get("has", ())]


_OPENING = regex(r"\\*[\"']?")
_NOT_QUOTABLE = regex(r"[\s\"'\\]+")


def mask(text: str) -> str:
    """The text with every secret that can be recognised taken out."""
    return _remembered(text) if len(text) <= _SHORT else _without_secrets(text)


def _without_secrets(text: str) -> str:
    if "\x1b" in text:
        text = _COLOUR.sub("", text)  # the letter that ends it would look like the first one of a word
    if " " in text or "=" in text or ":" in text or "<" in text or "\n" in text or "\t" in text:
        lowered = text.lower()
        if "-----begin" in lowered:  # before names: the value of a name ends with its line, a key does not
            text = _KEYS.sub(_masked, text)
            lowered = text.lower()
        is_named = has_any(lowered, _NAMES)
        if is_named and _ASSIGNED.search(lowered):
            text = _VALUES.sub(_masked, text)
        if is_named or has_any(lowered, _HINTS):
            text = _without(_PLACES, text, lowered)
    long_words = " ".join([word for word in text.split() if len(word) >= _SHORTEST])
    if long_words and _LONG_RUN.search(long_words):
        for number in _shapes_in(text, long_words):
            text = _shape(number).sub(_masked, text)
    return text


_remembered = lru_cache(maxsize=64)(_without_secrets)
"""Of the texts of a run, two in three come again soon: an agent gets the same error, and names the same files."""


def _shapes_in(text: str, long_words: str) -> list[int]:
    """The numbers of the shapes that may be there: a word begins as such a token does, or has its mark inside."""
    words = _WORDS.findall(long_words)
    begun = [word[:_BEGINNING] for word in words]
    if "\\" in text:  # an escaped line break looks like the first letter of the word after it
        begun += [word[1 : _BEGINNING + 1] for word in words]
    if "%" in text:
        begun += [word[2 : _BEGINNING + 2] for word in words]
    if "_" in text:
        begun += _JOINED.findall(text)
    known = _beginnings()
    marks = [mark for beginning in known.keys() & begun for mark in known[beginning]]
    return sorted({number for mark, number in marks + _inside() if mark in text})


def _without(kinds: Iterable[tuple[tuple[str, ...], re.Pattern[str]]], text: str, looked_at: str) -> str:
    """The text without the secrets of some kinds. Each is looked for only where one of its hints is there."""
    for hints, secret in kinds:
        for hint in hints:
            if hint in looked_at:
                text = secret.sub(_masked, text)
                break
    return text


def masked(value: Any, depth: int = 0) -> Any:
    """Plain data without secrets: also those that only the name beside them or the word before them tells."""
    if isinstance(value, str):
        return mask(value)
    if not isinstance(value, (list, tuple, dict)):
        return value
    if depth == DEEPEST:
        return MASK
    if isinstance(value, dict):
        return {_masked_name(name): _masked_entry(name, item, depth + 1) for name, item in value.items()}
    return type(value)(_masked_items(value, depth + 1))


def excerpt(text: str, limit: int) -> str:
    """The beginning of a text on one line, at most `limit` characters of it, without secrets."""
    looked_at = text[: limit + MARGIN]
    if len(looked_at) < len(text):  # the last word may be half of something
        looked_at = looked_at.rpartition(" ")[0] or looked_at[:limit]
    shown = mask(" ".join(looked_at.split()))
    return shown if len(shown) <= limit and len(looked_at) == len(text) else shown[: limit - 1].rstrip() + "…"


def _masked_items(items: list[Any] | tuple[Any, ...], depth: int) -> list[Any]:
    """As many items as before. A list of texts may be a command line, where one word announces the next."""
    shown = [masked(item, depth) for item in items]
    if len(items) < 2 or not all(isinstance(item, str) for item in items):
        return shown
    line = mask(" ".join(items))
    return shown if line == " ".join(shown) else [item if item in line else MASK for item in shown]


def _masked_name(name: Any) -> Any:
    return mask(name) if isinstance(name, str) else name


def _masked_entry(name: Any, item: Any, depth: int) -> Any:
    if isinstance(name, str) and isinstance(item, str):
        value = _NOT_QUOTABLE.sub("", item[:80])
        if value and mask(f"{name}='{value}'") == f"{name}='{MASK}'":
            return MASK
    return masked(item, depth)


def _masked(found: re.Match[str]) -> str:
    before = found[found.lastindex or 0]
    opening = _OPENING.match(found.string, found.start() + len(before))
    return before + (opening[0] if opening else "") + MASK

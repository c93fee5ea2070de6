"""Builds a self-contained HTML page: no network, no fonts, no script except its own.

Everything goes through `tag`, which escapes all text that is not markup of ours. The page's content security policy
lists what it may do, and the browser blocks everything else.
"""

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

from headway.rolling.text import printable


class Html(str):
    """Safe markup."""


def tag(name: str, *children: str, **attributes: str | int | None) -> Html:
    """An element. Children and values that are not `Html` are escaped."""
    names = {key: key.rstrip("_").replace("_", "-") for key, value in attributes.items() if value is not None}
    given = (f' {name}="{escape(printable(str(attributes[key])))}"' for key, name in names.items())
    return Html(f"<{name}{''.join(given)}>{safe(*children)}</{name}>")


def safe(*parts: str) -> Html:
    """Markup unchanged, other text escaped, without characters that a browser would interpret or hide."""
    return Html("".join(part if isinstance(part, Html) else escape(printable(part)) for part in parts))


def section(title: str, *content: str) -> Html:
    """A section of the page with its heading."""
    return tag("section", tag("h2", title), *content)


def page(title: str, *body: str, style: str, policy: str) -> str:
    """The whole page. `policy` lists what the page may do; everything else is blocked."""
    return Template(packaged("page.html")).substitute(
        title=safe(title),
        style=style,
        policy=safe(f"default-src 'none'; {policy}; base-uri 'none'; form-action 'none'"),
        body="\n".join(body),
    )


def packaged(*names: str) -> str:
    """Files of this folder, concatenated."""
    return "\n".join(files(__package__).joinpath(name).read_text("utf-8").strip() for name in names)


def fingerprint(text: str) -> str:
    """The hash by which a content security policy allows one script or style."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

"""A self-contained HTML page: no network, no fonts, no script except its own.

Everything goes through `tag`, which escapes whatever it did not make itself: what agents and tests said is shown as
text. A page names in its policy what it may do, and a browser forbids it the rest.
"""

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

from headway.rolling.text import printable


class Html(str):
    """Text that is markup already, and safe."""


def tag(name: str, *children: str, **attributes: str | int | None) -> Html:
    """An element; children and values that are not `Html` are escaped."""
    names = {key: key.rstrip("_").replace("_", "-") for key, value in attributes.items() if value is not None}
    given = (f' {name}="{escape(printable(str(attributes[key])))}"' for key, name in names.items())
    return Html(f"<{name}{''.join(given)}>{safe(*children)}</{name}>")


def safe(*parts: str) -> Html:
    """Markup as it is; other text escaped, with nothing in it that a browser would obey or hide."""
    return Html("".join(part if isinstance(part, Html) else escape(printable(part)) for part in parts))


def section(title: str, *content: str) -> Html:
    """A part of the page under its heading."""
    return tag("section", tag("h2", title), *content)


def page(title: str, *body: str, style: str, policy: str) -> str:
    """The whole page. Its policy is what it may do besides nothing at all."""
    return Template(packaged("page.html")).substitute(
        title=safe(title),
        style=style,
        policy=safe(f"default-src 'none'; {policy}; base-uri 'none'; form-action 'none'"),
        body="\n".join(body),
    )


def packaged(*names: str) -> str:
    """Files of this folder, one after the other."""
    return "\n".join(files(__package__).joinpath(name).read_text("utf-8").strip() for name in names)


def fingerprint(text: str) -> str:
    """How a policy names the one script or style that it allows."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

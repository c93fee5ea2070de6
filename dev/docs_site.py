"""What the documentation site needs beyond MkDocs, as hooks that mkdocs.yml names.

Files at the root of the repository become pages of the site, links that lead out of `docs/` are made to fit, and a
built page that would ask another host for anything fails the build.
"""

import os
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FROM_THE_ROOT = {
    "CHANGELOG.md": "development/changelog.md",
    "CONTRIBUTING.md": "development/contributing.md",
    "README.md": "index.md",
    "SECURITY.md": "development/reporting.md",
}
LINK = re.compile(r"\[(?P<text>[^]\[]*)\]\((?P<path>[^)#:\s]+)(?P<heading>#[^)\s]*)?\)")
ELSEWHERE = re.compile(
    r"<(?:script|img|iframe|source|link(?! rel=\"canonical\"))\b[^>]*\b(?:src|href)=\"?(?:https?:)?//"
    r"|@import\s+[\"']?https?:|url\(\s*[\"']?(?:https?:)?//"
)


def on_files(files, config):
    for name, place in FROM_THE_ROOT.items():
        if place not in files.src_uris:
            files.append(File.generated(config, place, content=(ROOT / name).read_text("utf-8")))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links as the site has them: to pages by their place in it; the name alone of what is only in the repository."""
    origin = {place: ROOT / name for name, place in FROM_THE_ROOT.items() if place != "index.md"}
    source = origin.get(page.file.src_uri, DOCS / page.file.src_uri)

    def placed(link):
        target = Path(os.path.normpath(source.parent / link["path"]))
        if not target.is_relative_to(ROOT) or not target.exists():
            return link[0]  # MkDocs names what leads nowhere
        if target.is_relative_to(DOCS):
            place = target.relative_to(DOCS)
        elif target.name in FROM_THE_ROOT and target.parent == ROOT:
            place = FROM_THE_ROOT[target.name]
        else:
            return link["text"]
        return f"[{link['text']}]({os.path.relpath(place, Path(page.file.src_uri).parent)}{link['heading'] or ''})"

    return LINK.sub(placed, markdown)


def on_post_build(config):
    """The built pages ask no other host for a script, a style, a picture or a font."""
    site = Path(config.site_dir)
    for path in [*site.rglob("*.html"), *site.rglob("*.css"), *site.rglob("*.svg")]:
        if found := ELSEWHERE.search(path.read_text("utf-8")):
            raise PluginError(f"{path.relative_to(site)} asks another host: {found[0]}")

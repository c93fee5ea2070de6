"""Packages of other authors, installed as packages are: a module, its metadata and its entry points."""


def installed(folder, group, entries, **modules):
    """Put a package into a folder, which on the Python path makes its entry points known."""
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code)
    info = folder / "their_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1.0\n")
    listed = "".join(f"{name} = {place}\n" for name, place in entries.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{listed}")
    return folder

"""How to reach Kafka: its address, and a file with properties for encryption and passwords."""

from pathlib import Path

from headway.config.settings import Forward, SettingsError


def client_properties(address: str, forward: Forward) -> dict[str, str]:
    """The properties of Kafka's client: one `name=value` in each line of the file, and lines of comment with `#`."""
    found = {"bootstrap.servers": address}
    if forward.properties is None:
        return found
    path = Path(forward.properties).expanduser()
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"forward.properties: {path} cannot be read: {error}") from error
    for number, line in enumerate(map(str.strip, lines), 1):
        name, equals, value = (part.strip() for part in line.partition("="))
        if line and not line.startswith("#"):
            if not equals or not name:
                raise SettingsError(f"forward.properties: {path}, line {number}: expected name=value")
            found[name] = value
    return found

"""Zip archives, also those whose files are packed with zstd, which Python's own zipfile does not know."""

import struct
import zipfile
from io import BufferedReader, BytesIO
from typing import cast

from headway.sources.lines import whole
from headway.sources.packed import DamagedError, Unpacking, bounded, zstd_reader

_ZSTD = 93
_NAME_AND_EXTRA = struct.Struct("<26xHH")
"""Where a file's own header tells how long its name and the extra field after it are."""


def unzipped(file: BufferedReader | BytesIO, name: str, largest: int) -> bytes:
    """One file of an archive."""
    with zipfile.ZipFile(file) as archive:
        info = archive.getinfo(name)
        if info.compress_type == _ZSTD:
            packed: Unpacking = zstd_reader(BytesIO(_raw(file, info)), f"{name} in the archive")
        else:
            packed = cast(zipfile.ZipExtFile, archive.open(info))
        with bounded(packed, info.compress_size) as content:
            return whole(content, largest)


def _raw(file: BufferedReader | BytesIO, info: zipfile.ZipInfo) -> bytes:
    if info.flag_bits & 1:
        raise DamagedError("it is encrypted")
    file.seek(info.header_offset)
    header = file.read(_NAME_AND_EXTRA.size)
    if len(header) < _NAME_AND_EXTRA.size:
        raise DamagedError("its header is cut off")
    file.seek(sum(_NAME_AND_EXTRA.unpack(header)), 1)
    return file.read(info.compress_size)

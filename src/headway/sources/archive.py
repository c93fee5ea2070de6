"""Zip archives, also those whose files are packed with zstd, which Python's own zipfile does not know."""

import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import SEEK_END, BufferedReader, BytesIO
from typing import cast

from headway.sources.packed import DamagedError, Unpacking, bounded, whole, zstd_reader

FAULTS = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, struct.error, ValueError)
"""What a damaged archive raises, or a file in it that is damaged, encrypted or packed in an unknown way."""
_ZSTD = 93
_NAME_AND_EXTRA = struct.Struct("<26xHH")
"""Where a file's own header has the lengths of its name and of the extra field after it."""


class Archive:
    """An open archive: its directory is read once, however many of its files are asked for."""

    def __init__(self, file: BufferedReader | BytesIO, archive: zipfile.ZipFile) -> None:
        self._file, self._archive = file, archive
        self._size = file.seek(0, SEEK_END)
        self._read = 0
        self.files = {info.filename: info for info in archive.infolist()}
        """What is in it, by name; of two with the same name, the one that was added last."""

    def content(self, name: str, largest: int) -> bytes:
        """One unpacked file, or its beginning."""
        info = self.files[name]
        self._read += info.compress_size
        if self._read > self._size:
            raise DamagedError("its files are larger than the archive, even packed")
        if info.compress_type == _ZSTD:
            packed: Unpacking = zstd_reader(BytesIO(self._raw(info)), f"{name} in the archive")
        else:
            packed = cast(zipfile.ZipExtFile, self._archive.open(info))
        with bounded(packed, info.compress_size) as content:
            return whole(content, largest)

    def _raw(self, info: zipfile.ZipInfo) -> bytes:
        if info.flag_bits & 1:
            raise DamagedError("it is encrypted")
        self._file.seek(info.header_offset)
        header = self._file.read(_NAME_AND_EXTRA.size)
        if len(header) < _NAME_AND_EXTRA.size:
            raise DamagedError("its header is cut off")
        self._file.seek(sum(_NAME_AND_EXTRA.unpack(header)), 1)
        return self._file.read(info.compress_size)


@contextmanager
def unzipped(file: BufferedReader | BytesIO) -> Iterator[Archive]:
    """The archive in a file, closed afterwards."""
    with file, zipfile.ZipFile(file) as archive:
        yield Archive(file, archive)

import gzip

from headway import encode_event
from headway.core import events
from headway.readers import read
from headway.sources import Source, sources_in

STREAM = [
    events.UserSpoke(run="r", text="hi"),
    events.ToolCalled(run="r", call="1", tool="Read"),
    events.RunEnded(run="r"),
]


def written(stream):
    return b"".join(encode_event(event) + b"\n" for event in stream)


def test_what_was_written_is_read_back_with_numbers():
    source = Source(content=written(STREAM))
    stream = list(read(source))
    assert [1, 2, 3] == [event.seq for event in stream]
    assert ["hi"] == [event.text for event in stream if isinstance(event, events.UserSpoke)]


def test_numbers_go_by_run_and_agent():
    source = Source(content=written([*STREAM, events.UserSpoke(run="other"), events.UserSpoke(run="r", agent="sub")]))
    assert [1, 2, 3, 1, 1] == [event.seq for event in read(source)]


def test_broken_lines_are_skipped_and_counted():
    source = Source(content=written(STREAM) + b'{"type": "tool_called", "call": 1}\n{half\n')
    assert 3 == len(list(read(source)))
    assert 2 == source.skipped


def test_compressed_files_and_folders_are_walked(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.jsonl.gz").write_bytes(gzip.compress(written(STREAM)))
    (tmp_path / "b.jsonl").write_bytes(written(STREAM))
    (tmp_path / "notes.txt").write_text("not a recording")

    sources = list(sources_in(tmp_path))
    assert ["b.jsonl", "a.jsonl.gz"] == [source.path.name for source in sources]
    assert [3, 3] == [len(list(read(source))) for source in sources]


def test_a_damaged_compressed_file_is_read_as_far_as_it_goes(tmp_path):
    whole = gzip.compress(written(STREAM * 5_000))
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    source = Source(tmp_path / "cut.jsonl.gz")

    assert len(list(read(source))) > 100
    assert source.skipped >= 1


def test_a_pipe_is_read_once_and_whole(tmp_path):
    import os
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(written(STREAM * 4_000)))
    writer.start()
    (source,) = sources_in(pipe)
    assert 12_000 == len(list(read(source)))
    writer.join()

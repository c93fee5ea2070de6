from headway.tools.paths import top_level


def test_folders_are_counted_below_what_absolute_paths_share():
    assert ["lib", "src"] == top_level(["/work/shop/src", "/work/shop/lib/deep"])
    assert ["docs", "src"] == top_level(["src/a", "docs"])


def test_two_slashes_are_one():
    assert ["lib", "src"] == top_level(["//repo/src", "/repo/lib"])
    assert ["b", "c"] == top_level(["/a//b", "/a/c"])

from headway.detectors import built_in


def test_these_only_ever_advise():
    """What each of them sees may be honest work: it is said, and never a reason to block or to stop."""
    advisory = {id for id, kind in built_in().items() if kind.advisory}
    steps = {"edit_oscillation", "empty_streak", "endless_paging", "fruitless_streak", "low_hit_rate"}
    steps |= {"scope_creep", "similar_calls", "test_regression", "repeated_file", "fruitless_delegation"}
    steps |= {"vanishing_tests", "busy_polling", "generated_edit", "silent_run"}
    assert steps | {"diminishing_returns", "over_refinement"} == advisory

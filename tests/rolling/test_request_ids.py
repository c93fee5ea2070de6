"""A service puts an id of its own into every error: two errors that differ in nothing else are the same."""

import pytest

from headway.rolling.normalise import normalise_error

SAME = {
    "req_ ids": (
        "Error code: 429 rate_limit_error (request_id: req_011CSHoEeqs5C35K2UUqR7Fy)",
        "Error code: 429 rate_limit_error (request_id: req_018EeWyXxfu5pFWkrYcMdjWG)",
    ),
    "req- ids": ("upstream failed, req-8f3kQ2m9Zx1", "upstream failed, req-Lw7aa02Rt55"),
    "AWS request ids": (
        "ThrottlingException: Rate exceeded (Request ID: 4442587FB7D0A2F9, HostId: ab+Cd/9fW0x1Yz3=)",
        "ThrottlingException: Rate exceeded (Request ID: 9A1B2C3D4E5F6071, HostId: Zz+Yx/1aB2c3D4e=)",
    ),
    "AWS request ids that are UUIDs": (
        "AccessDenied RequestId: 7a62c49f-347e-4fc4-9331-6e8eb9a1c2d3",
        "AccessDenied RequestId: 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
    ),
    "headers": (
        "x-amzn-RequestId: b25f48e8-84fd-11e6-80d9-574e0c4664cb",
        "x-amzn-RequestId: 0f5c3a1e-84fe-11e6-9d11-bd1b1c2a3f44",
    ),
    "short upper-case ids": ("S3 RequestId=TX2B9K4M7Q0P1R3S denied", "S3 RequestId=QW8E7R6T5Y4U3I2O denied"),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_errors_that_differ_in_a_request_id_only_are_the_same(pair):
    assert normalise_error(pair[0]) == normalise_error(pair[1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("request_id is missing in the body", "request_id is missing in the header"),
        ("req_timeout exceeded", "req_refused exceeded"),
        (
            "AccessDenied RequestId: 7a62c49f-347e-4fc4-9331-6e8eb9a1c2d3",
            "NoSuchKey RequestId: 7a62c49f-347e-4fc4-9331-6e8eb9a1c2d3",
        ),
        ("request failed with 503", "request failed with 504"),
    ],
)
def test_what_is_no_id_still_counts(one, other):
    assert normalise_error(one) != normalise_error(other)

"""States in Redis, for workers on several machines. Needs the extra `redis`."""

from typing import Any

from headway.hosts.frameworks.requirement import require

require("redis", "redis", "5", "9")

import redis

DAY = 86_400

_SWAP = """
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, 'state', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
"""
"""Runs in the server, so that it is atomic."""


class RedisStore:
    """States in a Redis server, given by its URL or a client. States unused for `keep_days` are deleted."""

    def __init__(self, server: "str | redis.Redis", prefix: str = "headway:", keep_days: float = 30) -> None:
        self._client: Any = redis.Redis.from_url(server) if isinstance(server, str) else server
        if self._client.connection_pool.connection_kwargs.get("decode_responses"):
            raise TypeError("RedisStore needs a client that returns bytes: decode_responses must not be set")
        self._prefix, self._seconds = prefix, int(keep_days * DAY)
        self._swap = self._client.register_script(_SWAP)

    def newer(self, key: str, than: int) -> tuple[int, bytes] | None:
        """The version and the state of a key, if its version differs from this one."""
        name = self._prefix + key
        if int(self._client.hget(name, "version") or 0) in (0, than):
            return None
        version, state = self._client.hmget(name, "version", "state")
        return None if version is None else (int(version), state)

    def swap(self, key: str, version: int, state: bytes) -> bool:
        """Replace the state that has this version; False if another worker was first."""
        return bool(self._swap(keys=[self._prefix + key], args=[version, state, self._seconds]))

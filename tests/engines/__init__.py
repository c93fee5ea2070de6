"""The engines that need a cluster or a server; `make e2e-fleet`."""

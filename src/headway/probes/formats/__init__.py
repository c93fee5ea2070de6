"""The registry of probes: one file for each measuring tool or report format.

A probe is a pure `parse` beside a thin `run` (see `headway.probes.probe`). A new file here is a new probe; probes never
import each other.
"""

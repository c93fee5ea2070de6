"""Studies many recorded runs: scans, accuracy, calibration, suggestions.

`scan.py` scans one recording after the other, `pool.py` in several processes, and `batch.py` in shards on an engine
(`engines/`). `watched.py` feeds the monitor of one run. `judged.py`, `figures.py` and `calibrate.py` compare what was
found with known outcomes. `cli` calls this, and the service uses a part of it.
"""

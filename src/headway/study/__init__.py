"""Studies many recorded runs: scans, accuracy, calibration, suggestions."""

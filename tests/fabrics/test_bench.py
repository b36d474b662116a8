"""What `bench/fabric_sizes.py` measures that does not move with the machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from django.conf import settings

BENCH = Path(settings.BASE_DIR) / "bench" / "fabric_sizes.py"
MOST_MB = 300


def test_the_cabling_workbook_of_9216_gpus_needs_at_most_300_mb():
    done = subprocess.run(
        [sys.executable, BENCH, "workbook"], check=True, capture_output=True, text=True
    )

    assert 20 < float(done.stdout) <= MOST_MB

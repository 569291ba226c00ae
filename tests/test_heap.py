"""Memory that is free goes back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from sim import heap

if sys.argv[1] == "with":
    heap.give_back()

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20

bytes(bytearray(30 * 2**20))  # freed at once: from now on glibc would take less from its heap
before = resident()
many = [(bytearray(b"1") * 2**20, bytearray(b"1") * 4000) for _ in range(100)]
kept = [small for _, small in many]  # between what is freed
del many
print(resident() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps it")
def test_freed_memory_goes_back_to_the_system(root: Path) -> None:
    def megabytes(how: str) -> float:
        words = [sys.executable, "-c", SCRIPT, how]
        return float(subprocess.run(words, cwd=root, capture_output=True, check=True).stdout)

    assert megabytes("with") < 10 < 50 < megabytes("without")

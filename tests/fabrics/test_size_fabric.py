"""The size_fabric command: JSON only when asked, one line when refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).parents[2]
CONTRACT = {
    "engine_version",
    "spec",
    "compute",
    "storage",
    "front_end",
    "out_of_band",
    "management",
    "bandwidth",
    "power_kw",
    "rack_units",
    "bom",
    "checks",
}


def run(*args):
    out = StringIO()
    call_command("size_fabric", *args, stdout=out)
    return out.getvalue()


def gb300(*args):
    return run("--system", "gb300-nvl72", "--fabric", "quantum-x800", *args)


def test_json_is_one_object_and_nothing_else():
    result = json.loads(gb300("--gpus", "1152", "--json"))

    assert set(result) >= CONTRACT
    assert result["compute"]["leaf"] == 16
    assert result["compute"]["spine"] == 8
    assert result["bandwidth"]["injection_tb_per_s"] == 115.2


def test_each_line_of_the_parts_list_says_why_and_from_where():
    result = json.loads(gb300("--gpus", "576", "--json"))

    keys = ("section", "part", "description", "quantity", "because", "source")
    assert result["bom"]
    for item in result["bom"]:
        assert all(item[key] for key in keys)


def test_every_option_of_the_contract_is_taken():
    options = {
        "--oversubscription": "2",
        "--storage-tier": "enhanced",
        "--cable-metres": "30",
        "--spares-percent": "5",
        "--design": "superpod",
    }
    args = [word for pair in options.items() for word in pair]

    result = json.loads(gb300("--racks", "8", *args, "--json"))

    assert result["spec"]["oversubscription"] == 2
    assert result["storage"]["read_gb_per_s"] == 280
    assert any(item["section"] == "Spares" for item in result["bom"])


def test_a_person_reads_tables():
    text = gb300("--gpus", "576")

    assert "576 GPUs: GB300 NVL72 on quantum-x800" in text
    assert "Q3400-RD" in text
    assert "8 leaf + 4 spine" in text


@pytest.mark.parametrize(
    "args",
    [
        ("--gpus", "0"),
        ("--gpus", "-5"),
        ("--gpus", "many"),
        ("--gpus", "1e12"),
        ("--gpus", ""),
        (),
        ("--gpus", "576", "--oversubscription", "NaN"),
        ("--gpus", "576", "--design", "castle"),
    ],
)
def test_bad_input_is_refused_with_status_2(args):
    with pytest.raises(CommandError) as refused:
        gb300(*args, "--json")

    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)


def in_a_shell(*args):
    """Run the command as a person would on a machine where nothing is set up."""
    command = [sys.executable, "manage.py", "size_fabric", *args]
    bare = {"PATH": os.environ["PATH"]}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=bare, cwd=ROOT
    )


def test_a_machine_where_nothing_is_set_up_can_size():
    done = in_a_shell(
        "--system", "dgx-b300", "--fabric", "quantum-x800", "--nodes", "288", "--json"
    )

    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)["compute"]["spine"] == 18


@pytest.mark.parametrize(
    "args",
    [
        ["--system", "gb300-nvl72", "--fabric", "quantum-2", "--gpus", "72"],
        ["--system", "gb300-nvl72", "--fabric", "quantum-x800", "--gpus", "-5"],
        ["--cabbages"],
    ],
)
def test_a_shell_sees_one_line_on_stderr_and_nothing_on_stdout(args):
    done = in_a_shell(*args, "--json")

    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1

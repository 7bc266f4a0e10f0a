"""The files that start the suite on a server: what checks them without starting anything."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import compose_spec
import pytest

from tests.deploy.compose_file import DEPLOY, compose_file, in_order
from tests.deploy.stack import ROOT

BIN = Path(sys.executable).parent
UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICES = compose_file({"SITE": "work.example.org"})["services"]


def test_the_dockerfile_is_sound() -> None:
    checked = subprocess.run([BIN / "hadolint", DEPLOY / "Dockerfile"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout == ""


def test_the_dockerfile_copies_what_is_there() -> None:
    """Also not what .dockerignore keeps out."""
    text = (DEPLOY / "Dockerfile").read_text()
    copied = [word for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE) for word in line.split()[:-1]]
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert "requirements.lock" in copied
    for name in copied:
        assert (ROOT / name).exists(), name
        assert name not in ignored


def test_the_compose_file_is_one() -> None:
    compose_spec.PyCompose.from_json(json.dumps(compose_file({"SITE": "work.example.org"}))).validate()


def test_services_wait_for_what_becomes_healthy_or_ends() -> None:
    assert set(in_order(SERVICES)) == set(SERVICES)
    for name, service in SERVICES.items():
        assert ("healthcheck" in service) == (service["restart"] != "no"), name
        for other, how in service.get("depends_on", {}).items():
            ends = SERVICES[other]["restart"] == "no"
            assert how["condition"] == ("service_completed_successfully" if ends else "service_healthy")


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_confined(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}
    assert set(service.get("cap_add", ())) <= {"NET_BIND_SERVICE"}


def test_only_the_proxy_is_reached_from_elsewhere() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]


def test_secrets_are_made_once_and_only_the_folder_hides_them(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    made = []
    for _ in range(2):
        subprocess.run([DEPLOY / "new-secrets", folder], check=True)
        made.append({path.name: path.read_text() for path in folder.iterdir()})
    assert made[0] == made[1]
    assert len(made[0]["database-password"]) == 48
    assert made[0]["database-password"] in made[0]["database-url"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    declared = compose_file({"SITE": "work.example.org"})["secrets"]
    assert made[0].keys() == declared.keys()


def test_the_example_has_every_variable_without_a_default() -> None:
    needed = set(re.findall(r"\$\{(\w+):\?\}", (DEPLOY / "compose.yaml").read_text()))
    assert needed == {"SITE"}
    assert needed <= set(re.findall(r"^(\w+)=", (DEPLOY / ".env.example").read_text(), re.MULTILINE))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """With this checkout in the place of the one in /opt: commands have to be there."""
    here = tmp_path / "beat-the-ai"
    (here / ".venv").mkdir(parents=True)
    (here / ".venv" / "bin").symlink_to(BIN)
    copies = [tmp_path / unit.name for unit in UNITS]
    for unit, copy in zip(UNITS, copies, strict=True):
        copy.write_text(unit.read_text().replace("/opt/beat-the-ai", str(here)))
    environment = {**os.environ, "SYSTEMD_LOG_LEVEL": "warning"}
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=one", *copies],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert checked.returncode == 0, checked.stderr
    assert checked.stderr == ""


@pytest.mark.parametrize("unit", [each for each in UNITS if each.suffix == ".service"], ids=lambda unit: unit.name)
def test_a_unit_is_hardened(unit: Path) -> None:
    hardened = {"NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes", "UMask=0077"}
    assert hardened <= set(unit.read_text().splitlines())

"""KEY=VALUE on the command line: any path is a value, wherever settings are read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from beat_the_ai.campaign.settings.configuration import amended, read_settings
from beat_the_ai.campaign.settings.overrides import merged, readable

TASK = Path(__file__).parents[3] / "tasks" / "reading_comprehension"
NAMES = (
    *(
        "Zoë.jsonl",
        "passages (1).jsonl",
        "a,b.jsonl",
        "[a].jsonl",
        "it's.jsonl",
        "a=b.jsonl",
        "a #b.jsonl",
        "{x}.jsonl",
    ),
    *("a\\b (1)\\.jsonl", "~x.jsonl", "50%; a&b!.jsonl", "日本.jsonl", 'say "hi".jsonl', "a: b.jsonl", "\\'.jsonl"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_path_with_any_character_is_read_at_the_launch_and_later(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.touch()
    read = read_settings(TASK, [f"contexts={path}"], out=tmp_path / "out (1)")
    assert (read.contexts, read.out) == (path, tmp_path / "out (1)")
    plain = read_settings(TASK, [], out=tmp_path)
    assert amended(plain, [f"contexts={path}"]).contexts == path


def test_a_task_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "Zoë's [tasks] (1), a=b"
    shutil.copytree(TASK, folder)
    assert read_settings(folder, [], out=tmp_path).task_dir == folder


def test_a_list_may_hold_such_paths(tmp_path: Path) -> None:
    members = "adversary.members=[onnx:bidaf-small, huggingface:/models/Zoë]"
    assert merged({}, [members]).adversary.members == ["onnx:bidaf-small", "huggingface:/models/Zoë"]


@pytest.mark.parametrize(
    ("override", "value"),
    [
        *[
            ("a=1", 1),
            ("a=0.5", 0.5),
            ("a=true", True),
            ("a=null", None),
            ("a=[1,b]", [1, "b"]),
            ("a={b: 1}", {"b": 1}),
        ],
        *[("a='x (1)'", "x (1)"), ('a="x,y"', "x,y"), ("+a=1", 1)],
    ],
)
def test_what_is_a_value_in_hydras_grammar_stays_one(override: str, value: object) -> None:
    assert readable(override) == override
    assert merged({}, [override]).a == value

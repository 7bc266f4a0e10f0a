"""`croissant.json`: the files of an export and the columns of its tables, as dataset search reads them.

By the Croissant format 1.0 (https://docs.mlcommons.org/croissant/docs/croissant-spec.html), in the words of schema.org.
Tables are described once: as Parquet where there is Parquet, else as JSON Lines; lists of lists and of records are not,
for which readers of the format have no way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from beat_the_ai.dataset.columns import meanings, required
from beat_the_ai.rules.protocol import Value

CROISSANT_FILE = "croissant.json"
VERSION = "http://mlcommons.org/croissant/1.0"
ENCODINGS = {
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
    ".json": "application/json",
    ".arrow": "application/vnd.apache.arrow.stream",
    ".md": "text/markdown",
    ".cff": "application/yaml",
}
TABLES = (".parquet", ".jsonl")  # the first one that there is
TYPES: Mapping[Any, str] = {str: "sc:Text", int: "sc:Integer", float: "sc:Float", bool: "sc:Boolean"}
LISTS = (list, tuple)
TIME = "_at"  # how the names of columns with a time of ISO 8601 end
CONTEXT: Mapping[str, Any] = {  # as the specification has it
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


@dataclass(frozen=True)
class DescribedTable:
    """Rows of a model, in files of several formats. `about` says what they are."""

    name: str
    row_type: type[Value]
    paths: Iterable[Path]
    about: str = ""


def croissant(facts: Mapping[str, Any], files: Mapping[str, str], tables: Iterable[DescribedTable], out: Path) -> str:
    """Return the text of the file.

    `facts` are properties of schema.org; `files` maps the names of all files, seen from `out`, to their SHA-256.
    """
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        **facts,
        "distribution": [_file(name, digest) for name, digest in sorted(files.items())],
        "recordSet": [found for table in tables for found in _record_set(table, out)],
    }
    return json.dumps(described, indent=1, ensure_ascii=False) + "\n"


def _file(name: str, digest: str) -> dict[str, Any]:
    encoding = ENCODINGS.get(Path(name).suffix, "text/plain")
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "encodingFormat": encoding,
        "sha256": digest,
    }


def _record_set(table: DescribedTable, out: Path) -> Iterator[dict[str, Any]]:
    by_suffix = {path.suffix: path.relative_to(out).as_posix() for path in table.paths}
    file = next((by_suffix[suffix] for suffix in TABLES if suffix in by_suffix), None)
    if file is not None:
        told = dict(meanings(table.row_type))
        yield {
            "@type": "cr:RecordSet",
            "@id": table.name,
            "name": table.name,
            **({"description": table.about} if table.about else {}),
            "field": [*_fields(table.row_type, table.name, file, told, ())],
        }


def _fields(
    record: type[Value], above: str, file: str, told: Mapping[str, str], place: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    for name, column in record.model_fields.items():
        here, kind = (*place, name), required(column.annotation)
        field: dict[str, Any] = {"@type": "cr:Field", "@id": f"{above}/{name}", "name": f"{above}/{name}"}
        if meaning := told.get(".".join(here)):
            field["description"] = meaning
        is_list = get_origin(kind) in LISTS
        if is_list:
            field["repeated"], kind = True, required(get_args(kind)[0])
        is_record = isinstance(kind, type) and issubclass(kind, Value)
        if is_list and (is_record or get_origin(kind) in LISTS):
            continue  # its readers take lists of plain values alone
        if is_record:
            field["subField"] = [*_fields(kind, field["@id"], file, told, here)]
        else:
            plain = type(get_args(kind)[0]) if get_origin(kind) is Literal else kind
            field["dataType"] = "sc:DateTime" if name.endswith(TIME) else TYPES[plain]
            field["source"] = {"fileObject": {"@id": file}, "extract": {"column": here[0]}}
            if inner := ".".join(here[1:]):
                field["source"]["transform"] = {"jsonPath": inner}
        yield field

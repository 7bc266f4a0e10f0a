"""Prolific's own OpenAPI document as a contract, closed: a property that the document does not have is a fault.

    contract = read_contract(shared_data / "prolific")
    contract.check_request("POST", "/api/v1/studies/", {}, {"Authorization": "Token t"}, body)
    contract.check_response("POST", "/api/v1/studies/", 201, answer)

Bodies are decoded JSON, None for no body. A fault raises `Breach`. `renamed` gives a document in which one operation
has another name for a field: a client or a server that uses the field must not pass it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from jsonschema.exceptions import best_match
from openapi_schema_validator import OAS31Validator, oas31_format_checker

Document = dict[str, Any]
Schema = dict[str, Any]

SHARED = "#/components/schemas/"
NEW_NAME = "renamed_{}"

# Where the document contradicts itself, or its own words, this file follows the words. The whole list:
# 1. Its objects without properties stand for some of any shape.
OPEN = {
    "SubscriptionEventPayload",
    "WorkspaceBalanceBalanceBreakdown",
    "WorkspaceBalanceAvailableBalanceBreakdown",
}
# 2. `any_field` is "name of the field with a validation error", so it is any name.
ANY_FIELD = "ErrorDetailDetail2"
# 3. A bound is one of integer, string and number: a whole one is two of these.
BOUNDS = re.compile(r"RangeFilter(Weightings)?SelectedRange(Lower|Upper)")
# 4. Some operations describe an error without the envelope `{"error": …}` of the others; all have it here.
ERROR = {"$ref": f"{SHARED}Error"}
# 5. Only 400 is described; every other status from 400 on has the same body.
# 6. 204 has a content in the document, and cannot have one in HTTP.
# 7. The parameter `filter` is an object, and its members are the parameters (style form, exploded).
EXPLODED = "filter"


class Breach(AssertionError):
    """A request or an answer that the document does not have."""


@dataclass(frozen=True)
class Operation:
    """An operation of the document, with the pattern of its path."""

    name: str
    method: str
    path: str
    described: Mapping[str, Any]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(self.path)))

    @property
    def parameters(self) -> Iterator[tuple[str, bool, Schema]]:
        """Yield name, whether it is required, and schema of each parameter of the query."""
        for one in self.described.get("parameters", []):
            if one["in"] == "query" and one["name"] == EXPLODED:
                yield from ((name, False, {"type": "string"}) for name in ("workspace_id", "project_id"))
            elif one["in"] == "query":
                yield one["name"], one.get("required", False), one["schema"]

    @property
    def needs_token(self) -> bool:
        return any(one["name"] == "Authorization" for one in self.described.get("parameters", []))

    @property
    def request_schema(self) -> Schema | None:
        return _schema_of(self.described.get("requestBody"))

    def response_schema(self, status: int) -> Schema | None:
        """Return the schema of an answer, None for one without a body. Raises `Breach`."""
        if status >= 400:
            return ERROR
        if str(status) not in self.described["responses"]:
            raise Breach(f"{self.name} does not answer {status}")
        return None if status == 204 else _schema_of(self.described["responses"][str(status)])


class Contract:
    """A closed document that requests and answers are held against."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._operations = sorted(_operations(document), key=lambda one: one.path.count("{"))

    def operation(self, method: str, path: str) -> Operation:
        """Return the operation of a request. Raises `Breach`."""
        for one in self._operations:
            if one.method == method.upper() and one.pattern.fullmatch(path):
                return one
        raise Breach(f"the document has no {method} {path}")

    def check_request(
        self, method: str, path: str, query: Mapping[str, str], headers: Mapping[str, str], body: object
    ) -> None:
        """Raise `Breach` for a request that the document does not have."""
        one = self.operation(method, path)
        sent = {name.lower(): value for name, value in headers.items()}
        if one.needs_token and not re.fullmatch(r"Token \S+", sent.get("authorization", "")):
            raise Breach(f"{one.name}: the header Authorization is not a token's")
        self._check_query(one, query)
        schema = one.request_schema
        if schema is None and body is not None:
            raise Breach(f"{one.name} has no body")
        if schema is not None:
            self._check(schema, body, f"request of {one.name}")

    def check_response(self, method: str, path: str, status: int, body: object) -> None:
        """Raise `Breach` for an answer that the document does not have."""
        one = self.operation(method, path)
        schema = one.response_schema(status)
        if schema is None and body is not None:
            raise Breach(f"{one.name} answers {status} without a body")
        if schema is not None:
            self._check(schema, body, f"answer {status} of {one.name}")

    def required(self, schema: Schema) -> list[str]:
        """Return the fields that the objects of a schema must have, whichever of several it is."""
        if "$ref" in schema:
            return self.required(self._document["components"]["schemas"][schema["$ref"].removeprefix(SHARED)])
        return list(schema.get("required", []))

    def _check_query(self, one: Operation, query: Mapping[str, str]) -> None:
        known = {name: (is_required, schema) for name, is_required, schema in one.parameters}
        if unknown := query.keys() - known.keys():
            raise Breach(f"{one.name} has no parameters {sorted(unknown)}")
        if missing := {name for name, (is_required, _) in known.items() if is_required} - query.keys():
            raise Breach(f"{one.name} needs the parameters {sorted(missing)}")
        for name, text in query.items():
            self._check(known[name][1], _decoded(text, known[name][1]), f"parameter {name} of {one.name}")

    def _check(self, schema: Schema, value: object, what: str) -> None:
        root = {**schema, "components": self._document["components"]}
        fault = best_match(OAS31Validator(root, format_checker=oas31_format_checker).iter_errors(value))
        if fault is not None:
            place = "/".join(map(str, fault.absolute_path))
            raise Breach(f"{what}, at {place!r}: {fault.message[:500]}")


def read_document(folder: Path) -> Document:
    """Return the parts of the document as one, as Prolific publishes them."""
    document: Document = {"paths": {}, "components": {"schemas": {}}}
    for path in sorted(folder.glob("*.yml")):
        part = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        document["paths"].update(part["paths"])
        for name, schema in part["components"]["schemas"].items():
            assert document["components"]["schemas"].setdefault(name, schema) == schema, f"two parts differ in {name}"
    return document


def read_contract(folder: Path) -> Contract:
    """Return the contract of the document in a folder."""
    return Contract(closed(read_document(folder)))


def closed(document: Document) -> Document:
    """Return the document with all objects closed, and mended where it contradicts itself."""
    mended: Document = json.loads(json.dumps(document))
    shared = mended["components"]["schemas"]
    open_ones = [shared[name] for name in OPEN if name in shared]
    if ANY_FIELD in shared:
        shared[ANY_FIELD] = {"type": "object", "additionalProperties": shared[ANY_FIELD]["properties"]["any_field"]}
    for name, schema in shared.items():
        if BOUNDS.fullmatch(name):
            schema["anyOf"] = schema.pop("oneOf")
    for schema in _schemas(mended):
        if schema.get("type") == "object" and not any(schema is one for one in open_ones):
            schema.setdefault("additionalProperties", False)
    return mended


def renamed(document: Document, operation: str, field: str) -> Document:
    """Return the document in which one operation has another name for a field, wherever it sends or answers it."""
    changed: Document = json.loads(json.dumps(document))  # faster than `copy.deepcopy`
    one = next(one for one in _operations(changed) if one.name == operation)
    new = NEW_NAME.format(field)
    for parameter in one.described.get("parameters", []):
        if parameter["in"] == "query" and parameter["name"] == field:
            parameter["name"] = new
    for schema in _reached(changed, one):
        if field in schema.get("properties", {}):
            schema["properties"] = {new if name == field else name: one for name, one in schema["properties"].items()}
            schema["required"] = [new if name == field else name for name in schema.get("required", [])]
    return changed


def _operations(document: Document) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            yield Operation(described["operationId"], method.upper(), path, described)


def _schemas(node: object) -> Iterator[Schema]:
    """Yield every object that may be a schema, those first that contain others."""
    if isinstance(node, dict):
        yield node
        for child in node.values():
            yield from _schemas(child)
    elif isinstance(node, list):
        for child in node:
            yield from _schemas(child)


def _reached(document: Document, operation: Operation) -> Iterator[Schema]:
    """Yield the schemas that an operation sends or answers, those that it shares with others as well."""
    waiting: list[object] = [operation.described.get("requestBody"), operation.described["responses"], ERROR]
    seen: set[str] = set()
    while waiting:
        for schema in _schemas(waiting.pop()):
            yield schema
            name = str(schema.get("$ref", "")).removeprefix(SHARED)
            if name and name not in seen:
                seen.add(name)
                waiting.append(document["components"]["schemas"][name])


def _schema_of(described: Mapping[str, Any] | None) -> Schema | None:
    content = (described or {}).get("content")
    return None if not content else dict(content["application/json"]["schema"])


def _decoded(text: str, schema: Schema) -> object:
    """Return a parameter of the query as its schema has it."""
    if schema.get("type") not in ("integer", "number", "boolean"):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text

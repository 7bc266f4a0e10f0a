"""Any marketplace with Mechanical Turk's requester API; boto3 finds keys and addresses."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import boto3

from beat_the_ai.crowds.sites import origins
from beat_the_ai.requester import REGION, Requester
from beat_the_ai.terms.crowd import CrowdTerms

ENDPOINT_VARIABLE = "AWS_ENDPOINT_URL_MTURK"
MTURK_SITES = "https://*.mturk.com"


class MTurkCrowd:
    """A `Crowd` that runs elsewhere."""

    def connect(self, terms: CrowdTerms, **options: Any) -> Requester:
        return Requester.connect(terms.endpoint_url, **options)

    def has_keys(self, terms: CrowdTerms) -> bool:
        return boto3.Session(region_name=REGION).get_credentials() is not None

    def running(self, terms: CrowdTerms) -> AbstractContextManager[None]:
        return nullcontext()

    def entrance(self, terms: CrowdTerms, label: str, title: str) -> str | None:
        return None

    def sites(self, terms: CrowdTerms) -> tuple[str, ...]:
        endpoint = terms.endpoint_url or os.environ.get(ENDPOINT_VARIABLE)
        return origins(endpoint) if endpoint else (MTURK_SITES,)


CROWD = MTurkCrowd()

"""Any marketplace with Mechanical Turk's requester API; boto3 finds keys and addresses."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, closing, nullcontext
from typing import Any

import boto3

from beat_the_ai.crowds.sites import origins
from beat_the_ai.requester import REGION, Requester
from beat_the_ai.terms.crowd import CrowdTerms
from beat_the_ai.terms.rejections import RejectionTerms

ENDPOINT_VARIABLE = "AWS_ENDPOINT_URL_MTURK"
MTURK_SITES = "https://*.mturk.com"


class MTurkCrowd:
    """A `Crowd` that runs elsewhere."""

    rejections: RejectionTerms | None = None

    def connect(self, terms: CrowdTerms, **options: Any) -> Requester:
        return Requester.connect(terms.endpoint_url, **options)

    def has_keys(self, terms: CrowdTerms) -> bool:
        return boto3.Session(region_name=REGION).get_credentials() is not None

    def running(self, terms: CrowdTerms) -> AbstractContextManager[None]:
        return nullcontext()

    def entrance(self, terms: CrowdTerms, label: str, title: str, *, once: bool) -> str | None:
        """Return the worker portal of a marketplace of this project: others have a site of their own."""
        with closing(self.connect(terms)) as requester:
            return f"{requester.address}/worker" if requester.signs_frames() else None

    def sites(self, terms: CrowdTerms) -> tuple[str, ...]:
        endpoint = terms.endpoint_url or os.environ.get(ENDPOINT_VARIABLE)
        return origins(endpoint) if endpoint else (MTURK_SITES,)


CROWD = MTurkCrowd()

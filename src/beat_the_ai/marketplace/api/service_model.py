"""The service as botocore describes it: the same file that clients are made from says what is a valid request.

AWS removes the models of closed services from botocore; `AWS_DATA_PATH` then points at a folder that still has it.
"""

from __future__ import annotations

from functools import cache

from botocore.exceptions import DataNotFoundError, UnknownServiceError
from botocore.loaders import create_loader
from botocore.model import OperationModel, ServiceModel

from beat_the_ai.errors import StoreError

SERVICE = "mturk"
SIGNING_NAME = "mturk-requester"


@cache
def service_model() -> ServiceModel:
    try:
        return ServiceModel(create_loader().load_service_model(SERVICE, "service-2"), SERVICE)
    except (DataNotFoundError, UnknownServiceError) as error:
        raise StoreError(
            "This botocore has no model of mturk any more. Install botocore<1.45, or let AWS_DATA_PATH name a folder "
            "with mturk/2017-01-17/service-2.json."
        ) from error


@cache
def target_prefix() -> str:
    return f"{service_model().metadata['targetPrefix']}."


@cache
def operation_names() -> frozenset[str]:
    return frozenset(service_model().operation_names)


@cache
def operation_model(name: str) -> OperationModel:
    return service_model().operation_model(name)

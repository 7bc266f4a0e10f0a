"""Consent forms, surveys and notices: what people read and answer before they work, apart from the dataset."""

from beat_the_ai.forms.desk import FormDesk
from beat_the_ai.forms.form import Form, notices, read_form

__all__ = ["Form", "FormDesk", "notices", "read_form"]

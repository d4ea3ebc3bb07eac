"""What the API takes and gives: forms, views and results, one file a subject."""

from likewise.server.schemas.clusters import (
    ChangeForm,
    ClusterForm,
    ConfirmForm,
    MergeForm,
    MoveForm,
    NameForm,
    SplitForm,
    WithdrawForm,
)
from likewise.server.schemas.fields import Annotator, Form
from likewise.server.schemas.questions import AnswerForm, BadForm, GridForm

__all__ = [
    "Annotator",
    "AnswerForm",
    "BadForm",
    "ChangeForm",
    "ClusterForm",
    "ConfirmForm",
    "Form",
    "GridForm",
    "MergeForm",
    "MoveForm",
    "NameForm",
    "SplitForm",
    "WithdrawForm",
]

from .answers import AnswerLine as AnswerLine, Problem as Problem, read_answers as read_answers
from .lists import PictureLine as PictureLine, read_list as read_list
from .registry import Exporter as Exporter, export as export, exporters as exporters
from .rows import (
    AnnotatorRow as AnnotatorRow,
    AnswerRow as AnswerRow,
    ClusterRow as ClusterRow,
    FaceRow as FaceRow,
    ImageRow as ImageRow,
    Snapshot as Snapshot,
)
from .writing import TargetExistsError as TargetExistsError, Written as Written

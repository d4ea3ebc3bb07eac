from .entries import Entry as Entry
from .errors import (
    AbsentError as AbsentError,
    KeyReusedError as KeyReusedError,
    NewerVersionError as NewerVersionError,
    NothingToUndoError as NothingToUndoError,
    ProjectInUseError as ProjectInUseError,
    StoreBusyError as StoreBusyError,
    StoreError as StoreError,
    StoreFullError as StoreFullError,
    UnknownProjectError as UnknownProjectError,
)
from .invites import Invite as Invite, InvitedError as InvitedError, InviteError as InviteError, Invites as Invites
from .items import Image as Image, Item as Item
from .log import Event as Event, Log as Log, Name as Name
from .project import Annotator as Annotator, Project as Project
from .store import Store as Store
from .vectors import Vectors as Vectors

"""Invitations of a project and the keys that sign them; neither is an event, and neither is exported."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Literal

from itsdangerous import Signer
from sqlalchemy import Connection, Select, insert, select, update

from likewise.store import schema
from likewise.store.database import Database
from likewise.store.entries import check_annotator

__all__ = ["Invite", "InviteError", "InvitedError", "Invites"]

KEY_BYTES = 32
PREFIX = "lwi_"
LONGEST = timedelta(days=3660)
AT_MACHINE = "me"  # the name under which the person at the machine answers


class InviteError(ValueError):
    """A token that opens nothing; the text says why, and holds nothing of the token."""


class InvitedError(ValueError):
    """Somebody who is invited already."""


@dataclass(frozen=True)
class Invite:
    """One annotator's invitation.

    Attributes
    ----------
    uid : str
        Its number; no secret.
    name : str
        The annotator whom it signs in.
    created_at, expires_at : datetime
        From when to when it is good, in UTC.
    revoked_at : datetime or None
        When it was taken back.
    """

    uid: str
    name: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None

    def state(self, now: datetime | None = None) -> Literal["open", "expired", "revoked"]:
        """``open``, ``expired`` or ``revoked``."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if (now or datetime.now(UTC)) >= self.expires_at else "open"


class Invites:
    """The invitations of one project: made, listed, checked and revoked.

    A token is the number of an invitation and the time it ends, signed with a key that is kept in the store
    and nowhere else (HMAC-SHA256). It can be made again from the row, so that a link can be copied twice.

    Parameters
    ----------
    database : Database
        Where they are kept.
    project_id : int
        The project.

    Examples
    --------
    >>> import tempfile
    >>> from likewise.store import Store
    >>> with Store.open(tempfile.mkdtemp()) as store:
    ...     invites = store.create_project("leaves").invites
    ...     invite = invites.add("ann", days=7)
    ...     token = invites.token(invite)
    ...     print(invites.read(token).name)
    ...     invites.revoke(invite.uid)
    ...     invites.read(token)
    Traceback (most recent call last):
    ...
    likewise.store.invites.InviteError: this invitation was taken back
    """

    def __init__(self, database: Database, project_id: int) -> None:
        self._database = database
        self._project_id = project_id
        self._keys: dict[str, bytes] = {}

    def key(self, name: str = "sign") -> bytes:
        """A key of this project, made when it is first asked for."""
        if name in self._keys:
            return self._keys[name]
        table = schema.secret
        where = (table.c.project_id == self._project_id, table.c.name == name)
        with self._database.write(self._project_id) as connection:
            value = connection.scalar(select(table.c.value).where(*where))
            if value is None:
                value = secrets.token_bytes(KEY_BYTES)
                row = {"project_id": self._project_id, "name": name, "value": value}
                connection.execute(insert(table).values(row))
        self._keys[name] = bytes(value)
        return self._keys[name]

    def signer(self, use: str) -> Signer:
        """Signs texts for one use of the key; the signature is worth nothing for another use."""
        return Signer(self.key(), salt=f"likewise-{use}", key_derivation="hmac", digest_method=sha256)

    def add(self, name: str, days: float = 7.0) -> Invite:
        """Invite an annotator for so many days; a name has one open invitation at a time."""
        name = check_annotator(name.strip())
        if not name or name == AT_MACHINE:
            raise ValueError(f"an annotator needs a name, and {AT_MACHINE!r} is the person at the machine")
        if not 0 < days <= LONGEST.days:
            raise ValueError(f"an invitation is good for up to {LONGEST.days} days, got {days:g}")
        # whole seconds: the time is signed, and read back alike from both databases
        now = datetime.now(UTC).replace(microsecond=0)
        invite = Invite(secrets.token_hex(8), name, now, now + timedelta(seconds=max(1, round(86400 * days))))
        with self._database.write(self._project_id) as connection:
            if any(each.name == name and each.state(now) == "open" for each in self._read(connection)):
                raise InvitedError(f"{name!r} has an open invitation already: revoke it first")
            row = {"project_id": self._project_id, "uid": invite.uid, "name": name}
            row |= {"created_at": invite.created_at, "expires_at": invite.expires_at}
            connection.execute(insert(schema.invite).values(row))
        return invite

    def all(self) -> list[Invite]:
        """All invitations, oldest first."""
        with self._database.read() as connection:
            return self._read(connection)

    def find(self, uid: str) -> Invite | None:
        """The invitation of a number."""
        with self._database.read() as connection:
            found = self._read(connection, schema.invite.c.uid == uid)
        return found[0] if found else None

    def revoke(self, uid: str) -> Invite | None:
        """Take an invitation back, from this moment on; None where there is no such one."""
        table = schema.invite.c
        where = (table.project_id == self._project_id, table.uid == uid, table.revoked_at.is_(None))
        with self._database.write(self._project_id) as connection:
            connection.execute(update(schema.invite).where(*where).values(revoked_at=datetime.now(UTC)))
        return self.find(uid)

    def token(self, invite: Invite) -> str:
        """The secret text that opens the project to this annotator."""
        ends = int(invite.expires_at.timestamp())
        return PREFIX + self.signer("invite").sign(f"{invite.uid}.{ends}").decode()

    def read(self, token: str) -> Invite:
        """The open invitation of a token; an :class:`InviteError` where it opens nothing."""
        signed = token.removeprefix(PREFIX)
        is_good = self.signer("invite").validate(signed) or self._has_old_signature(signed)
        if not token.startswith(PREFIX) or not is_good:
            raise InviteError("this invitation is not of this project")
        return self.check(signed.partition(".")[0])

    def _has_old_signature(self, signed: str) -> bool:
        """Whether a link is signed as version 0.1 did: such links are out there, and stay good until they expire."""
        text, _, signature = signed.rpartition(".")
        expected = hmac.new(self.key(), f"invite\0{text}".encode(), sha256).hexdigest()
        return hmac.compare_digest(expected.encode(), signature.encode())

    def check(self, uid: str) -> Invite:
        """The invitation of a number whose signature was right, while it is open."""
        invite = self.find(uid)
        if invite is None:
            raise InviteError("this invitation is not of this project")
        state = invite.state()
        if state != "open":
            raise InviteError(f"this invitation {'was taken back' if state == 'revoked' else 'has expired'}")
        return invite

    def _read(self, connection: Connection, *conditions: Any) -> list[Invite]:
        rows: Sequence[Any] = connection.execute(self._select().where(*conditions)).all()
        return [Invite(*row) for row in rows]

    def _select(self) -> Select[Any]:
        table = schema.invite.c
        columns = (table.uid, table.name, table.created_at, table.expires_at, table.revoked_at)
        mine = select(*columns).where(table.project_id == self._project_id)
        return mine.order_by(table.created_at, table.uid)

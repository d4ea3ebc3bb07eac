"""Invitations: signed, for one person, until a time, and taken back at once."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from likewise.store import InviteError, schema


def test_a_token_opens_what_it_was_made_for(project, store):
    invite = project.invites.add(" ann ", days=2)
    assert (invite.name, invite.state()) == ("ann", "open")
    assert abs(invite.expires_at - datetime.now(UTC) - timedelta(days=2)) < timedelta(minutes=5)
    token = project.invites.token(invite)
    assert project.invites.read(token) == invite
    again = store.project("leaves")
    assert again.invites.token(again.invites.all()[0]) == token
    with pytest.raises(ValueError, match="has an open invitation already"):
        project.invites.add("ann")
    assert project.invites.revoke(invite.uid).state() == "revoked"
    with pytest.raises(InviteError, match="taken back"):
        again.invites.read(token)
    assert project.invites.token(project.invites.add("ann")) != token


def test_forged_foreign_and_expired_tokens_open_nothing(project, store):
    ann, bob = project.invites.add("ann"), project.invites.add("bob")
    token, other = project.invites.token(ann), project.invites.token(bob)
    uid, ends, signature = token.removeprefix("lwi_").split(".")
    forged = [
        f"lwi_{uid}.{int(ends) + 86400}.{signature}",
        f"lwi_{bob.uid}.{ends}.{signature}",
        f"lwi_{uid}.{ends}.{other.rpartition('.')[2]}",
        f"lwi_{uid}.{ends}.",
        token[:-1],
        token.removeprefix("lwi_"),
        "lwi_",
        "lwi_é.ü.ß",
        "",
    ]
    for each in forged:
        with pytest.raises(InviteError, match="not of this project"):
            project.invites.read(each)
    foreign = store.create_project("others").invites
    with pytest.raises(InviteError, match="not of this project"):
        foreign.read(token)
    with store._database.write(project.id) as connection:
        past = datetime.now(UTC) - timedelta(seconds=1)
        connection.execute(sa.update(schema.invite).where(schema.invite.c.uid == uid).values(expires_at=past))
    with pytest.raises(InviteError, match="expired"):
        project.invites.read(token)
    assert project.invites.add("ann").state() == "open"


@pytest.mark.parametrize(("name", "days"), [("", 7), ("me", 7), ("x" * 300, 7), ("ann", 0), ("ann", 1e6)])
def test_what_is_no_invitation_is_refused(project, name, days):
    with pytest.raises(ValueError, match=r"name|days"):
        project.invites.add(name, days)
    assert project.invites.all() == []


def test_keys_are_random_and_kept_from_settings_and_events(project, store):
    key = project.invites.key()
    assert len(key) == 32
    assert store.project("leaves").invites.key() == key
    assert store.create_project("others").invites.key() != key
    assert key.hex() not in str(project.settings()) + str(project.events())

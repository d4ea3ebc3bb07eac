"""Who may come in: tokens, cookies, other sites, other hosts, large and hostile bodies; 4xx with a clear word."""

import base64
import hmac
import json
import logging
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from likewise.server.application import create_app
from likewise.server.auth import Auth, AuthError
from likewise.server.middleware import MOST_BYTES, TokenFilter, keep_tokens_out
from likewise.store import InviteError, schema
from tests.app.page import NoPictures
from tests.server.team import ADDRESS, TOKEN, Team

RUN = "from likewise.cli import main; main()"


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    from likewise.app.location import Location

    folder = str(tmp_path_factory.mktemp("auth"))
    with Team(Location(folder, folder, "leaves", "test")) as team:
        yield team


def detail(response, status):
    assert response.status_code == status, response.text
    return response.json()["detail"]


def test_without_a_token_only_the_page_is_served(team):
    visitor = team.visitor()
    for path in ("project", "question", "images/0", "stream", "team", "me", "export"):
        refused = visitor.get(f"/api/{path}")
        assert "sign in" in detail(refused, 401)
        assert refused.headers["www-authenticate"] == "Bearer"
    assert visitor.get("/openapi.json").status_code == visitor.get("/docs").status_code == 401
    assert visitor.get("/").status_code in (200, 503)  # 503: the page was not built
    assert visitor.get("/join").status_code in (200, 503)


def test_the_cookie_is_the_servers_alone(team):
    joined = team.visitor().post("/api/join", json={"token": TOKEN})
    cookie = joined.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie
    secure = TestClient(team.app, base_url="https://photos.example").post("/api/join", json={"token": TOKEN})
    assert "secure" in secure.headers["set-cookie"].lower()


def test_a_bearer_token_is_as_good(team):
    visitor = team.visitor()
    assert visitor.get("/api/team", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    mine = {"Authorization": f"Bearer {team.token('api')}"}
    assert visitor.get("/api/me", headers=mine).json()["name"] == "api"
    assert visitor.get("/api/team", headers=mine).status_code == 403
    assert "bearer" in detail(visitor.get("/api/me", headers={"Authorization": "Basic eDp5"}), 401)


def test_signing_out_ends_the_cookie_and_every_copy_of_it(team):
    name = team.app.state.auth.cookie_name
    for token in (TOKEN, team.token("leaver")):
        visitor, other = team.visitor(), team.visitor()
        visitor.post("/api/join", json={"token": token})
        other.post("/api/join", json={"token": token})
        copy = {"Cookie": f"{name}={visitor.cookies.get(name)}"}
        assert team.visitor().get("/api/me", headers=copy).status_code == 200
        visitor.post("/api/leave")
        assert visitor.get("/api/me").status_code == 401
        assert "not signed in" in detail(team.visitor().get("/api/me", headers=copy), 401)
        assert other.get("/api/me").status_code == 200  # signed in by itself


def test_who_signed_out_is_out_after_a_restart_too(team, tmp_path):
    auth = Auth(team.live.project, TOKEN, folder=tmp_path)
    cookies = [auth.sign_in(TOKEN, "10.0.0.1")[1] for _ in range(2)]
    person = auth.by_cookie(cookies[0])
    assert auth.still_in(person)
    auth.sign_out(cookies[0])
    assert not auth.still_in(person)
    (tmp_path / "signed-out.jsonl").write_text((tmp_path / "signed-out.jsonl").read_text() + "damaged\n")
    again = Auth(team.live.project, TOKEN, folder=tmp_path)
    with pytest.raises(AuthError, match="not signed in"):
        again.by_cookie(cookies[0])
    assert again.by_cookie(cookies[1]).role == "manager"


def test_the_cookie_gives_nothing_to_try_tokens_with(team):
    auth = team.app.state.auth
    _, cookie, _ = auth.sign_in(TOKEN, "10.0.0.1")
    said = base64.urlsafe_b64decode(cookie.rpartition(".")[0] + "==")
    for known in (TOKEN, sha256(TOKEN.encode()).hexdigest(), sha256(TOKEN.encode()).digest().hex()[:16]):
        assert known.encode() not in said


def test_an_invitation_taken_back_ends_at_once_and_one_that_expired_too(team):
    ann, token = team.visitor(), team.token("ann")
    assert ann.post("/api/join", json={"token": token}).status_code == 200
    assert ann.get("/api/question").status_code == 200
    (invite,) = (each for each in team.boss.get("/api/team").json()["invites"] if each["name"] == "ann")
    assert team.boss.post("/api/team/revoke", json={"invite": invite["id"]}).json()["state"] == "revoked"
    assert "taken back" in detail(ann.get("/api/question"), 401)
    assert "taken back" in detail(ann.post("/api/join", json={"token": token}), 401)
    bob = team.invite("bob")
    with team.live.store._database.write(team.live.project.id) as connection:
        past = datetime.now(UTC) - timedelta(seconds=1)
        connection.execute(sa.update(schema.invite).where(schema.invite.c.name == "bob").values(expires_at=past))
    assert "expired" in detail(bob.get("/api/question"), 401)
    assert "no such invitation" in detail(team.boss.post("/api/team/revoke", json={"invite": "x"}), 404)


def test_forged_cookies_and_tokens_of_others(team, location):
    good = team.boss.cookies.get(team.app.state.auth.cookie_name)
    body, _, signature = good.partition(".")
    name = team.app.state.auth.cookie_name
    for forged in (f"{body}.{'0' * len(signature)}", f"{body[:-2]}.{signature}", "x", "a.b", ".", f"{good}0"):
        refused = team.visitor().get("/api/me", headers={"Cookie": f"{name}={forged}"})
        assert "not signed in" in detail(refused, 401)
    other = Auth(team.live.project, "another token of the same")
    with pytest.raises(AuthError, match="token has changed"):
        other.by_cookie(good)
    for token in ("lwi_forged.1.2", "x" * 40, TOKEN[:-1], TOKEN.upper()):
        assert team.visitor().post("/api/join", json={"token": token}).status_code in (401, 429)
    with pytest.raises(ValueError, match="at least 16"):
        Auth(team.live.project, "short")


def signed_as_before(project, use, text):
    """A signature as version 0.1 made it."""
    return hmac.new(project.invites.key(), f"{use}\0{text}".encode(), sha256).hexdigest()


def test_links_of_the_last_version_open_and_its_cookies_ask_to_sign_in_again(team):
    project = team.live.project
    invite = project.invites.add("old link")
    text = f"{invite.uid}.{int(invite.expires_at.timestamp())}"
    link = f"lwi_{text}.{signed_as_before(project, 'invite', text)}"
    assert team.visitor().post("/api/join", json={"token": link}).json()["name"] == "old link"
    other = f"lwi_{text}.{signed_as_before(project, 'session', text)}"
    assert team.visitor().post("/api/join", json={"token": other}).status_code in (401, 429)
    body = base64.urlsafe_b64encode(json.dumps({"invite": invite.uid, "ends": 2**33}).encode()).decode()
    cookie = f"{team.app.state.auth.cookie_name}={body}.{signed_as_before(project, 'session', body)}"
    assert "sign in again" in detail(team.visitor().get("/api/me", headers={"Cookie": cookie}), 401)


def test_a_signature_is_for_one_use(team):
    invites = team.live.project.invites
    text = f"{invites.add('one use').uid}.1"
    with pytest.raises(InviteError):
        invites.read(f"lwi_{invites.signer('session').sign(text).decode()}")


def test_after_too_many_wrong_tokens_nobody_signs_in_from_there(team):
    visitor, neighbour = team.visitor("10.9.9.9"), team.visitor("10.9.9.9")
    neighbour.post("/api/join", json={"token": TOKEN})
    invited = team.token("a neighbour")
    replies = [visitor.post("/api/join", json={"token": f"wrong-{k}"}) for k in range(15)]
    assert [reply.status_code for reply in replies] == [401] * 10 + [429] * 5
    assert 1 <= int(replies[-1].headers["retry-after"]) <= 60
    assert "too many wrong tokens" in replies[-1].json()["detail"]
    for token in ("wrong", TOKEN, invited):  # the right ones too: otherwise guessing would go on
        assert visitor.post("/api/join", json={"token": token}).status_code == 429
        assert visitor.get("/api/me", headers={"Authorization": f"Bearer {token}"}).status_code == 429
    assert neighbour.get("/api/me").status_code == 200  # who is signed in stays so
    assert team.visitor("10.9.9.8").post("/api/join", json={"token": TOKEN}).status_code == 200


def test_wrong_tokens_are_forgotten_after_a_while(team, monkeypatch):
    auth = Auth(team.live.project, TOKEN)
    now = [0.0]
    monkeypatch.setattr("likewise.server.auth.time.monotonic", lambda: now[0])

    def knock(token, address):
        with pytest.raises(AuthError) as refused:
            auth.by_token(token, address)
        return refused.value.seconds

    assert [knock("wrong", "10.0.0.9") for _ in range(12)] == [0.0] * 10 + [60.0] * 2
    assert knock("wrong", "10.0.0.8") == 0.0
    now[0] = 59.0
    assert knock(TOKEN, "10.0.0.9") == 1.0  # what is refused unseen does not make it longer
    now[0] = 61.0
    assert auth.by_token(TOKEN, "10.0.0.9").role == "manager"


def test_what_comes_from_another_site_is_refused(team):
    form = {"name": "mallory"}
    cases = [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"{ADDRESS}:8080"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": ADDRESS},
    ]
    for headers in cases:
        assert "another site" in detail(team.boss.post("/api/team/invite", json=form, headers=headers), 403)
        assert "another site" in detail(team.visitor().post("/api/join", json={"token": TOKEN}, headers=headers), 403)
    assert team.boss.get("/api/images/0", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    plain = team.boss.post("/api/team/invite", content=json.dumps(form), headers={"Content-Type": "text/plain"})
    assert plain.status_code in (415, 422)
    assert "mallory" not in team.boss.get("/api/team").text
    own = team.boss.post("/api/leave", headers={"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"})
    assert own.status_code == 200
    team.boss.post("/api/join", json={"token": TOKEN})


def test_without_a_token_only_the_machine_itself_is_answered(page):
    for host in ("127.0.0.1:8117", "localhost", "[::1]:80"):
        assert page.client.get("/api/project", headers={"Host": host}).status_code == 200
    for host in ("evil.example", "127.0.0.1.evil.example", "192.168.0.7:8117", ""):
        refused = page.client.get("/api/project", headers={"Host": host})
        assert "--token" in detail(refused, 400)
        assert page.client.get("/", headers={"Host": host}).status_code == 400
    assert "another site" in detail(
        page.client.post("/api/undo", json={"key": "12345678"}, headers={"Origin": "http://evil.example"}), 403
    )


def test_an_invitation_opened_at_the_machine_is_the_annotators_until_they_leave(page):
    made = page.client.post("/api/team/invite", json={"name": "ann"}).json()
    page.client.post("/api/join", json={"token": made["link"].partition("#")[2]})
    assert page.get("me") == {"role": "annotator", "name": "ann", "signed_in": True, "open": True}
    assert page.client.get("/api/clusters").status_code == 403
    page.client.post("/api/leave")
    assert page.get("me")["role"] == "manager"


def test_large_and_hostile_bodies(team):
    post = team.boss.post
    kind = {"Content-Type": "application/json"}
    assert "4 MB" in detail(post("/api/answers", content=b"x" * 10_000_000, headers=kind), 413)

    def pieces():
        for _ in range(11):
            yield b" " * (MOST_BYTES // 10)

    assert "4 MB" in detail(post("/api/answers", content=pieces(), headers=kind), 413)
    deep = b'{"key": "12345678", "items": [0, 1], "value": "same", "shown": {"a":' + b"[" * 100_000
    assert 400 <= post("/api/answers", content=deep, headers=kind).status_code < 500
    closed = deep + b"]" * 100_000 + b"}}"
    assert 400 <= post("/api/answers", content=closed, headers=kind).status_code < 500
    nested = {}
    for _ in range(400):
        nested = {"a": nested}
    wide = {"key": "12345678", "items": [0, 1], "value": "same", "shown": {"a": "x" * 30_000}}
    assert "20000 characters" in detail(post("/api/answers", json=wide), 422)
    for body in (b"", b"null", b"[]", b"\xff\xfe", b'{"key": "12345678"', b'{"key": NaN}', b"0" * 5000):
        assert 400 <= post("/api/answers", content=body, headers=kind).status_code < 500
    bad_length = post("/api/answers", content=b"{}", headers={**kind, "Content-Length": "1e3"})
    assert bad_length.status_code == 400
    assert len(team.live.log()) == 0


def test_nothing_is_served_from_outside_the_project(team, tmp_path):
    outside = tmp_path / "secret.txt"
    outside.write_text("the user's own")
    paths = [
        "/assets/../../app.py",
        "/assets/..%2f..%2fapp.py",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/assets/..%5c..%5capp.py",
        f"/assets//{outside}",
        f"/..%2f..%2f..%2f{outside}",
        "/api/images/../../../etc/passwd",
        "/api/images/..%2f..%2f..%2fetc%2fpasswd",
        "/api/images/0%00.jpg",
        "/api/images/-1",
        "/api/images/0?size=../../full",
        "/api/../../../etc/passwd",
        "//etc/passwd",
    ]
    for path in paths:
        got = team.boss.get(path)
        assert got.status_code < 500, path
        assert "the user's own" not in got.text
        assert "root:" not in got.text
        assert "create_app" not in got.text


def test_names_with_markup_are_text(team):
    name = "<img src=x onerror=alert(1)>"
    made = team.boss.post("/api/team/invite", json={"name": name})
    assert made.headers["content-type"] == "application/json"
    assert made.json()["name"] == name
    for bad in ("x\0y", "\ud800", " ", "x" * 101):
        body = json.dumps({"name": bad}).encode()
        refused = team.boss.post("/api/team/invite", content=body, headers={"Content-Type": "application/json"})
        assert refused.status_code == 422, bad
    page = team.boss.get("/docs")
    assert "<script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_every_reply_is_kept_from_other_sites_and_caches(team):
    for reply in (team.boss.get("/api/me"), team.visitor().get("/api/me"), team.boss.get("/nowhere")):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert "unsafe" not in reply.headers["content-security-policy"]
    assert team.boss.get("/api/me").headers["cache-control"] == "no-store"


def test_logs_hold_no_token(team, caplog):
    token = team.token("log")
    keep_tokens_out()
    for name in ("uvicorn.access", "uvicorn.error", "likewise.something"):
        logger = logging.getLogger(name)
        caplog.handler.addFilter(TokenFilter())
        with caplog.at_level("INFO", name):
            logger.info('%s - "%s %s HTTP/%s" %d', "10.0.0.1", "GET", f"/join?token={token}", "1.1", 200)
            logger.info("Authorization: Bearer %s", TOKEN.replace(" ", "-"))
            logger.warning(f"link was /join#{token}")
            try:
                raise ValueError(f"could not read {token}")
            except ValueError:
                logger.exception("failed")
    assert token not in caplog.text
    assert TOKEN.replace(" ", "-") not in caplog.text
    assert "[removed]" in caplog.text


def start(*arguments, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "BROWSER", "LIKEWISE_TOKEN")}
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=kept | environment, timeout=240, check=False)


def test_another_address_is_refused_without_a_token(tmp_path):
    (tmp_path / "token").write_text("short\n")
    refused = start("serve", tmp_path, "--host", "0.0.0.0", "--no-browser")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "give a token" in refused.stderr
    short = start("serve", tmp_path, "--token-file", tmp_path / "token", "--no-browser")
    assert short.returncode == 2
    assert "at least 16" in short.stderr
    assert "short" not in short.stderr
    both = start("serve", tmp_path, "--token-file", tmp_path / "token", LIKEWISE_TOKEN="x" * 20)
    assert "not both" in both.stderr


def test_invitations_from_the_command_line(team):
    folder = Path(team.live.location.folder).parent / "leaves"
    folder.mkdir(exist_ok=True)
    where = [folder, "--project", team.live.location.folder]
    made = start("invite", *where, "--name", "cli", "--days", "2", "--address", "https://photos.example/")
    assert made.returncode == 0, made.stderr
    link = made.stdout.strip()
    assert link.startswith("https://photos.example/join#lwi_")
    visitor = team.visitor()
    assert visitor.post("/api/join", json={"token": link.partition("#")[2]}).json()["name"] == "cli"
    listed = json.loads(start("invite", *where, "--list", "--json").stdout)
    assert {"cli": "open"}.items() <= {row["name"]: row["state"] for row in listed}.items()
    taken_back = start("invite", *where, "--revoke", "cli")
    assert "cli: revoked" in taken_back.stdout
    assert "taken back" in detail(visitor.get("/api/question"), 401)
    assert "no open invitation" in start("invite", *where, "--revoke", "cli").stderr
    assert "give one of" in start("invite", *where).stderr


def test_the_default_door_is_for_one_machine(team):
    app = create_app(team.live, NoPictures(team.live))
    assert app.state.auth.is_open

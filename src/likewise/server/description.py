"""What the API says of itself: the OpenAPI description, and a page of it without scripts."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, JSONResponse

from likewise.server.auth import Auth
from likewise.server.schemas.questions import ConflictRefusal, Refusal

DOCS_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


REASONS = {
    400: "The request cannot be read, or is for another host.",
    401: "Nobody is signed in, or the token or invitation is not good.",
    403: "It is for the manager, or came from another site.",
    404: "It is not there, or not any more.",
    405: "The address has no such method.",
    408: "The body took too long to arrive.",
    409: "It contradicts earlier answers or steps; nothing was stored.",
    410: "The picture cannot be shown any more.",
    413: "The request is too large.",
    415: "The body is not JSON.",
    422: "Something in the request is not as it should be; nothing was stored.",
    429: "Too many wrong tokens; Retry-After says how long to wait.",
    503: "The store is busy or away; send it again.",
    507: "The disk is full; nothing was stored.",
}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ConflictRefusal if status == 409 else Refusal, "description": reason}
    for status, reason in REASONS.items()
}


def describe_api(app: FastAPI, auth: Auth) -> None:
    """Serve the description at /openapi.json and as a page at /docs."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = made()
            shown = {"type": "apiKey", "in": "cookie", "name": auth.cookie_name}
            schema["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}, "session": shown}
            # without a token the person at the machine needs none of them
            schema["security"] = [{"token": []}, {"session": []}, *([{}] if auth.is_open else [])]
            for path in ("/api/join", "/api/leave"):
                for operation in schema["paths"].get(path, {}).values():
                    operation["security"] = []
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]

    @app.get("/openapi.json", include_in_schema=False)
    def get_description() -> JSONResponse:
        return JSONResponse(app.openapi())

    @app.get("/docs", include_in_schema=False)
    def get_docs() -> HTMLResponse:
        return HTMLResponse(_page(app.openapi()), headers={"Content-Security-Policy": DOCS_POLICY})


def _page(schema: dict[str, Any]) -> str:
    rows = []
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            names = [each["name"] for each in operation.get("parameters", [])]
            form: dict[str, Any] = next(iter(operation.get("requestBody", {}).get("content", {}).values()), {})
            takes = form.get("schema", {}).get("$ref", "").rpartition("/")[2]
            fields = list(schema["components"]["schemas"].get(takes, {}).get("properties", {}))
            rows.append(
                f"<tr><td><code>{method.upper()} {escape(path)}</code></td>"
                f"<td>{escape(operation.get('description', '').partition(chr(10))[0])}</td>"
                f"<td>{escape(', '.join(names + fields))}</td></tr>"
            )
    title = f"{escape(schema['info']['title'])} {escape(schema['info']['version'])}: the API"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>'
        "<p>Every write carries a <code>key</code>: sent twice, it is done once. The whole description is at "
        '<a href="/openapi.json">/openapi.json</a>.</p>'
        "<table><thead><tr><th>Route</th><th>What it does</th><th>Takes</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></html>"
    )

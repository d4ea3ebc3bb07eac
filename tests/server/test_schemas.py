"""The description of the API: every reply has a model, and every model a sentence."""

import pytest

from likewise.app.live import LiveProject
from likewise.server.application import create_app
from tests.app.page import NoPictures

FILES = {"/api/stream", "/api/images/{image}", "/api/export"}  # no JSON


@pytest.fixture
def description(location):
    live = LiveProject(location)
    yield create_app(live, NoPictures(live)).openapi()
    live.stop()


def is_modelled(schema, components):
    """Whether all of a schema is by models or plain values: nothing is left open."""
    if "$ref" in schema:
        return is_modelled(components[schema["$ref"].rpartition("/")[2]], components)
    if "anyOf" in schema:
        return all(is_modelled(each, components) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return is_modelled(schema["items"], components)
    if schema.get("type") == "object":
        return ("title" in schema and "properties" in schema) or schema.get("additionalProperties") is False
    return schema.get("type") in ("integer", "string")


def test_every_reply_has_a_model(description):
    components = description["components"]["schemas"]
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            if path not in FILES:
                schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
                assert is_modelled(schema, components), f"{method} {path}"


def test_every_model_has_a_sentence_and_a_name_of_its_own(description):
    for name, schema in description["components"]["schemas"].items():
        if "properties" in schema:
            assert schema.get("description", "").strip(), name
        assert "-Input" not in name, name
        assert "__" not in name, name

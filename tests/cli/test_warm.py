"""What the first question would wait for is done ahead."""

import json

from typer.testing import CliRunner

from likewise.cli import app


def test_warm_compiles_and_writes_the_network(tmp_path, monkeypatch):
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path))
    result = CliRunner().invoke(app, ["warm", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout).keys() == {"kernels", "network"}
    assert [path.suffix for path in tmp_path.iterdir()] == [".onnx"]

"""Compiling is not silent, and says so once."""

from likewise.kernels import compiling


def test_compiling_that_takes_a_while_is_told_once(monkeypatch, capsys):
    clock = iter([0.0, 0.2, 5.0, 5.4, 6.5, 7.0, 8.0, 20.0])
    monkeypatch.setattr(compiling.time, "monotonic", lambda: next(clock))
    notice = compiling.CompilingNotice()
    notice.on_start(None)  # at 0
    notice.on_end(None)  # 0.2 s
    notice.on_start(None)  # at 5
    notice.on_start(None)  # inside the other
    notice.on_end(None)  # 0.2 + 0.4 s
    assert capsys.readouterr().err == ""
    notice.on_end(None)  # 0.2 + 1.5 s
    assert capsys.readouterr().err.startswith("likewise: compiling kernels, once")
    notice.on_start(None)
    notice.on_end(None)
    assert capsys.readouterr().err == ""

"""Charts are those of the command, and pictures in notebooks."""

import pytest

import pdn

GAMES = b'[White "Ada"]\n[Black "Bob"]\n[Date "2026.01.02"]\n[GameType "20"]\n\n1. 32-28 {[%eval 0.10]} 19-23 {[%eval 0.12]} *\n'


def test_a_chart_is_a_picture() -> None:
    chart = pdn.chart(GAMES, lang="nl")
    assert chart.startswith("<svg ") and "Verwachte score van wit" in chart
    assert chart._repr_svg_() == chart
    assert ">2026</text>" in pdn.chart(GAMES, kind="accuracy", player="ada")


def test_what_is_missing_is_said() -> None:
    with pytest.raises(pdn.PdnError, match="nothing to draw: game 7 was requested"):
        pdn.chart(GAMES, game=7)
    with pytest.raises(TypeError, match="unknown option"):
        pdn.chart(GAMES, colour="red")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="option `kind`: unknown value `pie`, expected one of `evaluation`"):
        pdn.chart(GAMES, kind="pie")  # type: ignore[arg-type]


def test_csv_is_for_spreadsheets() -> None:
    text = pdn.convert(GAMES, to="csv", excel="semicolon")
    assert text.startswith("\ufeffschema_version;") and '"=""2026.01.02"""' in text


@pytest.mark.parametrize(("locale", "separator"), [("nl_NL.UTF-8", ";"), ("en_GB.UTF-8", ","), ("", ",")])
def test_the_locale_decides_the_separator(locale: str, separator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    for name in ("LC_NUMERIC", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert pdn.convert(GAMES, to="csv", excel="auto").startswith(f"\ufeffschema_version{separator}")

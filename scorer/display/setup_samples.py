"""Sample views of set-up and of the night page, for preview and golden images."""

from __future__ import annotations

from scorer.session.values.keys import PlainKey, SetupKey, TextKey
from scorer.session.values.night_view import NightStanding, NightView
from scorer.session.values.shown import Screen
from scorer.session.view.view import CardPage, CardRow, SetupItem, SetupView, SideView, View


def setup_views() -> dict[str, SetupView]:
    """Each kind of level about the box or a drafted game."""
    to_be = tuple(
        SideView(name, key, 0, 0) for key, name in (("A", "Los Pibes"), ("B", "La Yunta"))
    )
    game = (
        SetupItem(SetupKey.PLAY),
        SetupItem(SetupKey.VARIANT, figure="Truco argentino"),
        SetupItem(TextKey("option.target"), figure="30"),
        SetupItem(SetupKey.MANO, chosen_side=1),
        SetupItem(SetupKey.START, scores=(3, 0)),
        SetupItem(PlainKey.NAME, 0),
        SetupItem(PlainKey.NAME, 1),
    )
    house = (
        SetupItem(TextKey("option.target"), figure="30"),
        SetupItem(TextKey("option.falta"), value="option.falta.malas_match"),
        SetupItem(TextKey("option.fold_first"), figure="1"),
    )
    dims = tuple(
        SetupItem(TextKey(f"setup.dim.{after}"), marked=after == 120) for after in (60, 120, 300, 0)
    )
    languages = tuple(
        SetupItem(TextKey(f"language.{each}"), marked=each == "es-AR")
        for each in ("es-AR", "pt-BR", "ca")
    )
    found = (
        SetupItem(TextKey("setup.found.panel_lost"), figure="B"),
        SetupItem(TextKey("setup.found.buttons")),
    )
    phones = (
        SetupItem(SetupKey.NEW_PHONE),
        SetupItem(PlainKey.PHONE, text="Ana", value="setup.seen.today"),
        SetupItem(
            PlainKey.PHONE, number=5, text="Beto de la mesa del fondo", value="setup.seen.months"
        ),
        SetupItem(SetupKey.FORGET_ALL),
    )
    return {
        "setup-new-game": SetupView(SetupKey.NEW_GAME, game, 3, sides=to_be),
        "setup-house": SetupView(SetupKey.HOUSE, house, 1, 0, 9),
        "setup-number": SetupView(TextKey("option.target"), values=(24,), option="option.target"),
        "setup-dim": SetupView(SetupKey.DIM, dims, 2),
        "setup-first": SetupView(SetupKey.FIRST_LANGUAGE, languages, 1, is_first_run=True),
        "setup-found": SetupView(SetupKey.SELFTEST, found),
        "setup-letters": SetupView(
            SetupKey.LETTERS, side=0, letters=("L", "M", "N", "Ñ", "O"), text="La Yu"
        ),
        "setup-letters-done": SetupView(
            SetupKey.LETTERS,
            side=1,
            letters=("space", "erase", "done", "A", "B"),
            text="Os Campeões",
        ),
        "setup-card": SetupView(SetupKey.CARD, card=_page()),
        "setup-phones": SetupView(SetupKey.PHONES, phones, 2),
        "setup-code": SetupView(
            SetupKey.NEW_PHONE, code="408153", address="http://192.168.1.7:8080/"
        ),
        "setup-code-alone": SetupView(SetupKey.NEW_PHONE, code="408153"),
    }


def night_views(screen: View) -> dict[str, View]:
    """The night page: after some games, and before the first."""
    rows = (
        NightStanding(
            name="Los Pibes",
            key="",
            won=4,
            played=6,
            streak=3,
            id="los pibes",
            best_streak=3,
            called=21,
            refused=8,
            envidos=12,
            comeback=9,
            longest=42,
            hands=17,
        ),
        NightStanding(
            name="La Yunta",
            key="",
            won=2,
            played=6,
            streak=0,
            id="la yunta",
            best_streak=1,
            called=17,
            refused=4,
            envidos=10,
            comeback=3,
            longest=42,
            hands=17,
        ),
        NightStanding("", "B", 0, 1, 0),
    )
    shown = screen._replace(screen=Screen.NIGHT)
    return {
        "night": shown._replace(night=NightView(rows, 6, 42)),
        "pairs": shown._replace(screen=Screen.PAIRS, night=NightView(rows, 6, 42)),
        "night-none": shown._replace(night=NightView()),
    }


def _page() -> CardPage:
    rows = (
        CardRow(words="truco", numbers=(2, 1), ways=("", "")),
        CardRow(words="retruco", numbers=(3, 2), ways=("", "")),
    )
    return CardPage("", "truco", rows, 2, 9)

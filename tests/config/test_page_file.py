"""The file of the settings page: a layer that stops no program, and its secrets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer.commands import check
from scorer.commands.settings import save_page
from scorer.config.page_file import PageSettings, changed, read_page
from scorer.config.sources import config_lines, origin, resolve, save_choices
from scorer.config.standalone import Program, load_for_program
from scorer.system.start_attempts import StartAttempts
from scorer.web import command as web_command
from tests.support.fake_settings import FakeSettings

OWNERS = '[backup]\nlabel = "OWNER"\n[web]\nport = 8000\nviewers = 10\n'
CARD = '[backup]\nlabel = "CARD"\n'


def saved(folder: Path, **values: object) -> PageSettings:
    save_page(folder, values)
    return read_page(folder)


def test_the_page_lies_over_the_files_and_under_the_choices_of_the_box(tmp_path: Path) -> None:
    page = saved(tmp_path, backup={"label": "PAGE"}, web={"port": 8100})
    kept = FakeSettings()
    settled = resolve(OWNERS, CARD, kept, page=page)
    config = settled.config
    assert (config.backup.label, config.web.port, config.web.viewers) == ("PAGE", 8100, 10)
    told = [origin(settled, *path) for path in (("backup", "label"), ("web", "viewers"))]
    assert told == ["the settings page", "the owner's file"]
    assert "backup     label = PAGE  (the settings page)" in list(config_lines(settled))
    save_choices(OWNERS, kept, [(("backup", "label"), "BOX")], page=page)
    assert resolve(OWNERS, None, kept, page=page).config.backup.label == "BOX"


def test_a_choice_of_the_box_is_taken_back() -> None:
    kept = FakeSettings()
    save_choices("", kept, [(("light", "dim"), 5.0), (("sound", "on"), False)])
    config = save_choices("", kept, [(("light", "dim"), None)]).config
    assert (config.light.dim, config.sound.on) == (120.0, False)
    assert json.loads(kept["box"]) == {"sound": {"on": False}}


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"web": {"port": 0}}, "web.port: 0 is not from 1 to 65535"),
        ({"web": {"prot": 80}}, "web.prot: no such key"),
        ({"webb": {"port": 80}}, "webb: no such section"),
        ({"web": {"proxies": ["127.0.0.1"]}}, "web.proxies: write the name"),
        ({"printer": {"device": "lp0"}}, "printer.device: 'lp0' is not like"),
    ],
)
def test_a_wrong_section_is_left_out_with_a_message_and_the_rest_counts(
    tmp_path: Path, values: dict[str, object], told: str
) -> None:
    page = saved(tmp_path, backup={"label": "PAGE"}, **values)
    settled = resolve(OWNERS, None, FakeSettings(), page=page)
    assert (settled.config.backup.label, settled.config.web.port) == ("PAGE", 8000)
    (problem,) = settled.problems
    assert problem.sentence.startswith(f"the settings page: {told}")
    assert problem.sentence.endswith("take it back on the settings page, or delete the file")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"values": 3}', '{"values": {"web": 3}}', "\0", "[" * 100_000]
)
def test_a_damaged_file_sets_nothing_and_says_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "page.json").write_text(text)
    page = read_page(tmp_path)
    settled = resolve(OWNERS, None, FakeSettings(), page=page)
    assert settled.config.web.port == 8000
    (problem,) = settled.problems
    assert "save again on the page, or delete the file" in problem.sentence


def test_without_a_file_there_is_no_layer(tmp_path: Path) -> None:
    assert read_page(tmp_path) == PageSettings()
    assert read_page(tmp_path / "none") == PageSettings()


def test_the_page_helps_no_invalid_file_of_the_owner(tmp_path: Path) -> None:
    kept, page = FakeSettings(), saved(tmp_path, web={"port": 8100})
    resolve(OWNERS, None, kept, page=page)
    settled = resolve("[[[", None, kept, page=page)
    assert settled.config.web.port == 8100  # what was last good
    assert "no TOML" in settled.problems[0].sentence


# ---- the services -------------------------------------------------------------------------------


def web_program(cache: Path) -> Program:
    return Program("scorer web", ("web", "socket"), web_command.NARROWEST, cache)


def test_a_service_reads_its_own_sections_of_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owners = tmp_path / "own"
    owners.write_text(OWNERS)
    save_page(tmp_path, {"web": {"port": 8100}, "voice": {"rate": 1}})
    found = load_for_program(web_program(tmp_path), owners, tmp_path / "card", tmp_path)
    assert (found.config.web.port, found.config.web.viewers) == (8100, 10)
    assert capsys.readouterr().err == ""


def test_a_wrong_value_of_the_page_does_not_narrow_a_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owners = tmp_path / "own"
    owners.write_text(OWNERS)
    save_page(tmp_path, {"web": {"port": -1}})
    found = load_for_program(web_program(tmp_path), owners, tmp_path / "card", tmp_path)
    assert (found.config.web.port, found.is_narrowed) == (8000, False)
    assert "the settings page: web.port: -1 is not from 1 to 65535" in capsys.readouterr().err


# ---- secrets ------------------------------------------------------------------------------------


def test_secrets_are_in_a_file_of_their_own(tmp_path: Path) -> None:
    values = {
        "owner": {"code": "403911"},
        "link": {"mqtt": {"broker": "b", "user": "u", "password": "hush"}},
    }
    save_page(tmp_path, values)
    text = (tmp_path / "page.json").read_text()
    assert "403911" not in text and "hush" not in text
    assert read_page(tmp_path).values == values
    assert read_page(tmp_path).secrets == {("owner", "code"), ("link", "mqtt", "password")}
    assert (tmp_path / "page.json").stat().st_mode & 0o777 == 0o644
    for name in ("owner-1.json", "link-1.json"):
        assert (tmp_path / name).stat().st_mode & 0o777 in (0o600, 0o640)


def test_a_program_that_may_not_read_a_secret_goes_on_without(tmp_path: Path) -> None:
    save_page(tmp_path, {"owner": {"code": "403911"}, "web": {"port": 8100}})
    (tmp_path / "owner-1.json").unlink()  # root, who runs this test, may read all
    page = read_page(tmp_path)
    assert (page.values, page.problems) == ({"web": {"port": 8100}}, ())
    assert page.secrets == {("owner", "code")}


def test_a_name_of_a_file_leads_out_of_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out.json").write_text('{"code": "403911"}')
    inner = tmp_path / "in"
    inner.mkdir()
    named = {"owner": {"file": "../out.json", "keys": ["code"]}}
    (inner / "page.json").write_text(json.dumps({"values": {}, "secrets": named}))
    assert read_page(inner).values == {}


@pytest.mark.parametrize("cut", ["replace", "fsync"])
def test_a_power_cut_leaves_all_of_a_change_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    before = {"owner": {"code": "111111"}, "web": {"port": 8100}}
    after = {"owner": {"code": "222222"}, "web": {"port": 8200}}
    save_page(tmp_path, before)

    def fail(*_: object) -> None:
        raise OSError("the plug")

    with monkeypatch.context() as patch:
        if cut == "replace":
            patch.setattr(Path, "replace", fail)
        else:
            patch.setattr("os.fsync", fail)
        with pytest.raises(OSError, match="plug"):
            save_page(tmp_path, after)
    assert read_page(tmp_path).values == before
    save_page(tmp_path, after)
    assert read_page(tmp_path).values == after
    assert len(list(tmp_path.glob("owner-*.json"))) == 1


def test_a_change_sets_and_takes_back_keys_of_one_section() -> None:
    values = {"link": {"mqtt": {"broker": "b"}}, "web": {"port": 1}}
    more = changed(values, "link", {"mqtt.user": "u"}, ())
    assert more == {"link": {"mqtt": {"broker": "b", "user": "u"}}, "web": {"port": 1}}
    assert changed(more, "link", {}, ("mqtt.user", "mqtt.broker")) == {"web": {"port": 1}}
    assert values["link"] == {"mqtt": {"broker": "b"}}


# ---- scorer check -------------------------------------------------------------------------------


def test_scorer_check_tells_what_the_page_has_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owners = tmp_path / "scorer.toml"
    owners.write_text(OWNERS)
    save_page(tmp_path, {"web": {"port": 8100}, "owner": {"code": "403911"}})
    assert check.main([str(owners), "--page", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "web        port = 8100  (the settings page)" in told
    assert "403911" not in told
    save_page(tmp_path, {"web": {"port": 0}})
    assert check.main([str(owners), "--page", str(tmp_path)]) == 1
    assert "the settings page: web.port" in capsys.readouterr().out


def test_the_folder_is_that_of_no_link(tmp_path: Path) -> None:
    (tmp_path / "page.json").symlink_to(tmp_path / "elsewhere")
    save_page(tmp_path, {"web": {"port": 8100}})
    assert not (tmp_path / "page.json").is_symlink()


def test_two_unfinished_starts_go_back_behind_the_page(tmp_path: Path) -> None:
    """The last good configuration stands behind what the page has saved, too."""
    store, page = FakeSettings(), tmp_path / "page"
    page.mkdir()

    def start(*, is_finished: bool) -> tuple[str, bool]:
        found = read_page(page)
        attempts = StartAttempts(tmp_path, OWNERS, None, found.digest_text)
        attempts.begin(store)
        chosen = attempts.choose(resolve(OWNERS, None, store, page=found), store)
        if is_finished:
            attempts.finish(chosen, store)
        return chosen.config.backup.label, chosen.is_fallback

    save_page(page, {"backup": {"label": "GOOD"}})
    assert start(is_finished=True) == ("GOOD", False)
    save_page(page, {"backup": {"label": "ENDS"}})
    starts = [start(is_finished=False) for _ in range(3)]
    assert starts == [("ENDS", False), ("ENDS", False), ("GOOD", True)]

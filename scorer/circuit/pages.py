"""The pages of a season as HTML, made of its document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from scorer.circuit.documents import Json
from scorer.circuit.graph import PlaceMark, places_graph
from scorer.hub.titles import date_text, event_title
from scorer.i18n import Say, translator
from scorer.static_site.frame import Files, SiteFrame, SitePage, frame_fields, site_templates

INDEX_PAGE: Final = "index"
_PRINT_PAGE: Final = "print"
_TEMPLATES: Final = site_templates(__package__)
_COLUMNS: Final = ("evenings", "wins", "firsts")


class _Line(NamedTuple):
    """What a team or person has of one evening, on its page."""

    href: str
    title: str
    place: str
    wins: int
    points: str
    counts: bool


def page_files(document: Json, frame: SiteFrame, rules: Mapping[str, int]) -> Files:
    """All pages, at the top of the site and in each language.

    ``rules``: ``best``, ``discards`` and ``least_evenings`` of the season, for the sentence above
    its table.
    """
    files: Files = {}
    for language in frame.languages:
        pages = _Pages(document, frame, language, rules)
        files |= {page.path: html.encode() for page, html in pages.all()}
        if language == frame.languages[0]:
            top = SitePage(INDEX_PAGE, language, is_top=True)
            files[top.path] = pages.index(top).encode()
    return files


def evening_page(id_: str) -> str:
    """The name of the page of an evening."""
    return f"evening-{id_}"


def team_page(id_: str) -> str:
    """The name of the page of a team."""
    return f"team-{id_}"


def person_page(id_: str) -> str:
    """The name of the page of a person."""
    return f"person-{id_}"


class _Pages:
    """The pages in one language."""

    def __init__(
        self, document: Json, frame: SiteFrame, language: str, rules: Mapping[str, int]
    ) -> None:
        self._document, self._frame, self._language = document, frame, language
        self._rules = rules
        self._say: Say = translator(language)
        self._evenings: Sequence[Json] = document["evenings"]
        self._titles = [self._title_of(each) for each in self._evenings]
        self._is_of_teams = document["ranked"] == "pairs"
        self._names = {
            each["id"]: each["name"] for each in (*document["teams"], *document["persons"])
        }
        self._rows: dict[str, list[tuple[str, Json]]] = defaultdict(list)
        for table in document["tables"]:
            for row in table["rows"]:
                self._rows[row["id"]].append((table["category"], row))
        # (evening, team) of each team and person
        self._played: dict[str, list[tuple[int, Json]]] = defaultdict(list)
        for at, evening in enumerate(self._evenings):
            for team in evening["teams"]:
                for id_ in filter(None, [team["team"], *team["persons"]]):
                    self._played[id_].append((at, team))

    def all(self) -> Iterator[tuple[SitePage, str]]:
        """Every page of the folder of the language."""
        page = partial(SitePage, language=self._language)
        yield (index := page(INDEX_PAGE)), self.index(index)
        yield (printed := page(_PRINT_PAGE)), self._printed(printed)
        for at, each in enumerate(self._evenings):
            yield (found := page(evening_page(each["id"]))), self._evening(found, at)
        players, teams = self._say("circuit.players"), self._say("site.teams")
        for each in self._document["teams"]:
            found, id_ = page(team_page(each["id"])), each["id"]
            yield found, self._entry(found, id_, players, person_page, each["players"])
        for each in self._document["persons"]:
            found, id_ = page(person_page(each["id"])), each["id"]
            yield found, self._entry(found, id_, teams, team_page, each["teams"])

    def index(self, page: SitePage) -> str:
        """The tables, the clubs and the evenings."""
        document, say = self._document, self._say
        return self._render(
            "season.html",
            page,
            document["title"],
            self._until(),
            tables=[self._table(page, each) for each in document["tables"]],
            clubs=document["clubs"],
            rules=self._rule_text(),
            notices=[self._notice(each) for each in document["notices"]],
            evenings=[
                {
                    "href": self._href(page, evening_page(each["id"])),
                    "title": self._titles[at],
                    "about": say("circuit.count.teams", n=len(each["teams"])),
                }
                for at, each in reversed([*enumerate(self._evenings)])
            ],
            printed=self._href(page, _PRINT_PAGE),
            data=page.link("season.json"),
            files=[page.link(each) for each in document["files"]],
        )

    def _printed(self, page: SitePage) -> str:
        return self._render(
            "printed.html",
            page,
            self._document["title"],
            self._until(),
            tables=[self._table(page, each, is_linked=False) for each in self._document["tables"]],
            clubs=self._document["clubs"],
            rules=self._rule_text(),
        )

    def _evening(self, page: SitePage, at: int) -> str:
        """The teams of an evening in their order, with their points."""
        evening = self._evenings[at]
        notices = [each for each in self._document["notices"] if at in each["evenings"]]
        return self._render(
            "evening.html",
            page,
            self._titles[at],
            "",
            notices=[self._notice(each) for each in notices],
            teams=[self._evening_row(page, each) for each in evening["teams"]],
        )

    def _evening_row(self, page: SitePage, team: Json) -> Json:
        id_ = team["team"]
        known = [self._names[each] for each in team["persons"]] if len(team["persons"]) > 1 else []
        return {
            "place": "–" if team["is_withdrawn"] else team["place"],
            "name": self._names[id_] if id_ else team["name"],
            "href": self._href(page, team_page(id_)) if id_ else "",
            "about": " · ".join(filter(None, (" / ".join(known), team["club"]))),
            "wins": team["wins"],
            "points": "–" if team["points"] is None else team["points"],
        }

    def _entry(
        self,
        page: SitePage,
        id_: str,
        title: str,
        page_of: Callable[[str], str],
        others: Sequence[str],
    ) -> str:
        """The page of a team or a person: ranks, the graph of places, evenings.

        ``title``: of ``others``, its players or teams; ``page_of``: the name of the page of one.
        """
        rows = self._rows[id_]
        counted = {each["evening"]: each for _, row in rows for each in row["evenings"]}
        played = self._played[id_]
        marks = [
            PlaceMark(team["place"], self._titles[at], counted.get(at, {"counts": True})["counts"])
            for at, team in played
            if not team["is_withdrawn"]
        ]
        return self._render(
            "entry.html",
            page,
            self._names[id_],
            self._frame.name,
            ranks=[self._rank(category, row) for category, row in rows],
            graph=places_graph(marks),
            others_title=title,
            entries=[
                {"href": self._href(page, page_of(each)), "name": self._names[each]}
                for each in others
            ],
            lines=[self._line(page, *each, counted.get(each[0])) for each in reversed(played)],
        )

    def _rank(self, category: str, row: Json) -> str:
        """The place of a row in its table, in a sentence."""
        key = "circuit.rank" if row["rank"] else "circuit.rank.none"
        text = self._say(key, rank=row["rank"], points=row["points"], n=len(row["evenings"]))
        return ": ".join(filter(None, (category, text)))

    def _line(self, page: SitePage, at: int, team: Json, scored: Json | None) -> _Line:
        evening = self._evenings[at]
        of = self._say("circuit.of", place=team["place"], teams=len(evening["teams"]))
        return _Line(
            self._href(page, evening_page(evening["id"])),
            self._titles[at],
            "–" if team["is_withdrawn"] else of,
            team["wins"],
            "" if scored is None else str(scored["points"]),
            scored is None or scored["counts"],
        )

    def _table(self, page: SitePage, table: Json, *, is_linked: bool = True) -> Json:
        """A table as ``standings.html`` takes it."""
        say = self._say
        kind = team_page if self._is_of_teams else person_page
        rows = []
        for row in table["rows"]:
            shown = {
                "rank": row["rank"] or "–",
                "name": row["name"],
                "team": row["id"],
                "is_withdrawn": False,
                "played": row["points"],
                "values": [len(row["evenings"]), row["wins"], row["firsts"]],
                "is_qualified": row["is_qualified"],
            }
            if is_linked:
                shown["href"] = self._href(page, kind(row["id"]))
            rows.append(shown)
        columns = [(say(f"circuit.{each}.short"), say(f"circuit.{each}")) for each in _COLUMNS]
        who = say("hub.team") if self._is_of_teams else say("circuit.person")
        return {
            "title": table["category"] or say("hub.standings"),
            "columns": [(say("circuit.points.short"), say("circuit.points")), *columns],
            "rows": rows,
            "who": who,
            "qualified": sum(row["is_qualified"] for row in table["rows"]),
        }

    def _rule_text(self) -> str:
        """How many evenings count, in one line."""
        kept = {key: n for key, n in self._rules.items() if n}
        return " ".join(self._say(f"circuit.rule.{key}", n=n) for key, n in kept.items())

    def _notice(self, notice: Json) -> str:
        titles = [self._titles[at] for at in notice["evenings"]]
        fields = dict(zip(("one", "other"), titles, strict=False))
        return self._say(f"circuit.notice.{notice['kind']}", name=notice["name"], **fields)

    def _title_of(self, evening: Json) -> str:
        """Day, hall and name of an evening."""
        title = event_title(evening["name"], evening["format"], evening["category"], self._say)
        return " · ".join((date_text(evening["date"], self._say), evening["hall"], title))

    def _until(self) -> str:
        date = date_text(self._document["until"], self._say)
        return self._say("circuit.until", date=date, n=len(self._evenings))

    def _href(self, page: SitePage, name: str) -> str:
        return page.link(SitePage(name, self._language).path)

    def _render(
        self, template: str, page: SitePage, title: str, about: str, /, **fields: object
    ) -> str:
        return _TEMPLATES.render(
            template,
            **frame_fields(self._frame, page, title, about),
            written="",
            above=self._href(page, INDEX_PAGE),
            **fields,
        )

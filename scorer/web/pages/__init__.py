"""The web pages: HTML, CSS, JavaScript and the groups of their words.

The other files of this folder are served unchanged; the texts come from the same catalogues as the
panel's.
"""

from __future__ import annotations

import re

from scorer.i18n import sentences

# Groups of the catalogue for the labels of the pages; texts about a game are phrases of the report.
WORDS = ("web.", "side.", "winner.", "why.none", "page.history.")
# Further ones for the phone's page, which no television has to load.
PHONE_WORDS = (*WORDS, "phone.", "refusal.", "notice.", "label.")
# Those of the settings page: each value, and the house rules.
OWNER_WORDS = ("owner.", "option.", "notice.backup_", "phone.code", "phone.name", "phone.pair")
# Notices that are never the answer to a phone.
_OF_THE_BOX = re.compile("notice.(wifi_|radio_|owner_|reset_|wiring_kept|wiring_back)")


def page_words(language: str, groups: tuple[str, ...]) -> dict[str, str]:
    """The texts of ``groups`` by key, as pages get them."""
    words = sentences(language, *groups)
    return {key: text for key, text in words.items() if not _OF_THE_BOX.match(key)}

"""Chromium's accessibility tree of a page: what a screen reader or a switch gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROLES = ("heading", "button", "link", "textbox", "paragraph", "status", "alert")
_TEXT = "StaticText"


class Node(NamedTuple):
    """One element of the tree. ``live``: how a change of it is announced, or ""."""

    role: str
    name: str
    description: str
    is_disabled: bool
    is_focused: bool
    live: str

    def __str__(self) -> str:
        marks = (
            "disabled" if self.is_disabled else "",
            "focused" if self.is_focused else "",
            self.live,
        )
        words = [self.role, f'"{self.name}"', *(f"[{mark}]" for mark in marks if mark)]
        return " ".join([*words, *([f"({self.description})"] if self.description else [])])


def accessibility_tree(page: Page) -> list[Node]:
    """The elements with a role for people, in the order of the page."""
    session = page.context.new_cdp_session(page)
    try:
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    finally:
        session.detach()
    by_id = {node["nodeId"]: node for node in nodes}
    found = []

    def walk(node: dict[str, Any]) -> None:
        role = _value(node, "role")
        if not node["ignored"] and role in ROLES:
            found.append(_node(node, role, _value(node, "name") or _text(node, by_id)))
        for child in node.get("childIds", ()):
            if child in by_id:
                walk(by_id[child])

    walk(nodes[0])
    return found


def _node(node: dict[str, Any], role: str, name: str) -> Node:
    states = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    return Node(
        role,
        " ".join(name.split()),
        _value(node, "description"),
        bool(states.get("disabled")),
        bool(states.get("focused")),
        str(states.get("live") or ""),
    )


def _text(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> str:
    if _value(node, "role") == _TEXT:
        return _value(node, "name")
    children = (by_id[child] for child in node.get("childIds", ()) if child in by_id)
    return " ".join(filter(None, (_text(child, by_id) for child in children)))


def _value(node: dict[str, Any], key: str) -> str:
    return str(node.get(key, {}).get("value", ""))

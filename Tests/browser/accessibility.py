# SPDX-License-Identifier: Apache-2.0
"""The kiosk's page as a screen reader gets it: Chromium's accessibility tree."""


def value(node, name):
    return node.get(name, {}).get("value", "")


def nodes(browser):
    tree = browser.command("Accessibility.getFullAXTree")["nodes"]
    return [node for node in tree if not node.get("ignored")]


def tree_faults(browser, view):
    """The parts of a view that the page shows and the tree lacks."""
    tree = nodes(browser)
    by_role = {}
    for node in tree:
        by_role.setdefault(value(node, "role"), []).append(node)
    names = {value(node, "name").replace("\u2011", "-") for node in tree}
    faults = []

    def lacks(role, name):
        found = [value(node, "name").replace("\u2011", "-") for node in by_role.get(role, [])]
        if name not in found:
            faults.append(f"no {role} named {name!r} in the accessibility tree, but {found}")

    title = view["title"]
    lacks("heading", title)
    live = "alert" if view["tone"] in ("failure", "trouble") else "status"
    if live not in by_role:
        faults.append(f"no {live} in the accessibility tree")
    if view["isBusy"]:
        lacks("progressbar", title)
    elif "progressbar" in by_role:
        faults.append("a progress where nothing is under way")
    entry = view.get("entry") or {}
    if "count" in entry:
        lacks("meter", title)
        shown = [value(node, "value") for node in by_role.get("meter", [])]
        if shown != [entry["count"]]:
            faults.append(f"the meter of digits is at {shown}, not {entry['count']}")
    if "path" in entry:
        lacks("image", title)
    if browser.run("return !page.seconds.hidden && page.seconds.style.visibility === ''"):
        if not any(value(node, "name") for node in by_role.get("timer", [])):
            faults.append("no timer with a name in the accessibility tree")
    # The signs that change the look have no room beside three keys.
    keys = [key for key in view["keys"] if "sign" not in key or len(view["keys"]) <= 3]
    if browser.run("return hasKeys"):
        for key in keys:
            if browser.run("return [...document.querySelectorAll('button')].some((key) => key.dataset.key === arguments[0])", key["key"]):
                lacks("button", key["label"])
    else:
        for key in keys:
            if key["label"] not in names:
                faults.append(f"no {key['label']!r} in the accessibility tree")
    return faults

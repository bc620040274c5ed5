"""The picture: sound XML, nothing outside of its box, nothing twice, and no more than can be read."""

import re
from xml.etree import ElementTree as ET

import pytest
from adjudicator.authoring.graph.chart import Wanted, chart_of
from adjudicator.authoring.graph.drawing import fitted, width_of
from adjudicator.authoring.graph.layers import in_layers
from adjudicator.authoring.graph.picture import picture
from adjudicator.authoring.progress import unheard
from adjudicator.policy.loader import open_bundle
from made_bundles import LONG, SHIPPED, made

SVG = "{http://www.w3.org/2000/svg}"
SIZES = {"name": 11.0, "small": 9.5, "heading": 15.0}


def drawn(bundle, **wanted):
    """The picture, parsed."""
    return ET.fromstring(picture(chart_of(bundle, Wanted(**wanted), unheard)))  # noqa: S314 - our own


def boxes(element, x=0.0, y=0.0):
    """Each text with its extent, and each rectangle, in the coordinates of the page; no turned text."""
    moved = element.get("transform", "")
    if "rotate" in moved:
        return
    if found := re.match(r"translate\(([-0-9.]+) ([-0-9.]+)\)", moved):
        x, y = x + float(found[1]), y + float(found[2])
    if element.tag == f"{SVG}text":
        kinds = element.get("class").split()
        width = width_of(element.text, SIZES[kinds[0]])
        left = x + float(element.get("x")) - (width / 2 if "mid" in kinds else 0)
        yield "text", element.text, left, left + width, y + float(element.get("y"))
    if element.tag == f"{SVG}rect":
        left, top = x + float(element.get("x", 0)), y + float(element.get("y", 0))
        yield "rect", element.get("class"), left, left + float(element.get("width")), top
    for child in element:
        yield from boxes(child, x, y)


def groups(root, kind):
    """The groups of a kind."""
    return [each for each in root.iter(f"{SVG}g") if kind in each.get("class", "").split()]


@pytest.fixture(
    params=[
        {"tools": 1, "agents": 1, "roles": 1},
        {"tools": 40, "agents": 12, "roles": 20, "rules": 400},
        {"tools": 3, "agents": 3, "roles": 3, "suffix": f"-{LONG}"[:60], "rules": 9},
        {"tools": 2, "agents": 1, "roles": 1, "rules": 2500},
        {"tools": 2, "agents": 2, "roles": 2, "title": "Häuser <&> ]]> 東京の会社"},
    ]
)
def bundle(request, tmp_path):
    """Bundles of several sizes, and of odd names."""
    return open_bundle(made(tmp_path / "made", **request.param))


def test_no_text_is_outside_of_its_box(bundle):
    """What stands in a cell or a node is no wider than it, and nothing is outside of the page."""
    root = drawn(bundle)
    width, height = float(root.get("width")), float(root.get("height"))
    for kind, what, left, right, y in boxes(root):
        assert left >= 0, (kind, what)
        assert right <= width, (kind, what)
        assert 0 <= y <= height, (kind, what)
    for each in (*groups(root, "cell"), *groups(root, "member")):
        found = list(boxes(each))
        rects = [place for place in found if place[0] == "rect"]
        for _, text, left, right, _ in (place for place in found if place[0] == "text"):
            assert any(rect[2] <= left and right <= rect[3] for rect in rects), text


def test_everything_is_named_once(bundle):
    """Each agent, role and tool has one head, and each pair one cell, but for rows that are one bar."""
    root = drawn(bundle)
    chart = chart_of(bundle, Wanted(), unheard)
    panel = chart.panels[0]
    heads = [each.get("data-agent") or each.get("data-role") for each in groups(root, "head")]
    assert heads == [subject.code for subject in panel.subjects]
    assert [each.get("data-tool") for each in groups(root, "tool")] == [
        line.tool.code for line in panel.lines
    ]
    assert len(groups(root, "member")) == len(panel.subjects)
    assert len(groups(root, "link")) == len(panel.links)


def test_every_cell_says_its_state_and_its_rows(shipped):
    """The state is the cell's own, the letters say it without colour, and the tooltip has FILE:LINE."""
    root = drawn(shipped, tenants=("studio",))
    panel = chart_of(shipped, Wanted(tenants=("studio",)), unheard).panels[0]
    states = {
        (subject.name, line.tool.code): cell
        for line, row in zip(panel.lines, panel.cells, strict=True)
        for subject, cell in zip(panel.subjects, row, strict=True)
    }
    seen = 0
    for each in groups(root, "cell"):
        code, tool = each.get("data-agent") or each.get("data-role"), each.get("data-tool")
        if code is None:  # one bar for everybody
            assert {cell.reach.value for (_, of), cell in states.items() if of == tool} == {"out"}
            continue
        cell = states[f"{'agent' if each.get('data-agent') else 'role'}:{code}", tool]
        assert each.get("data-reach") == cell.reach.value
        letters = "".join(text.text[0] for text in each.iter(f"{SVG}text"))
        assert letters.upper() == (
            "S"
            if cell.stop
            else "".join({"ALLOW": "A", "ASK": "?", "DENY": "D"}[way.value] for way in cell.ways)
        )
        if cell.ways:
            assert re.search(r"\w+\.(csv|yaml):[0-9]+", each.find(f"{SVG}title").text)
        seen += 1
    assert seen > 90


def test_the_same_bundle_gives_the_same_text(shipped):
    """Nothing of a picture depends on the time or on the order of a set."""
    assert picture(chart_of(shipped, Wanted(), unheard)) == picture(
        chart_of(open_bundle(SHIPPED), Wanted(), unheard)
    )


def test_names_from_files_are_only_text(tmp_path):
    """What looks like markup is shown as it is written."""
    title = "</text><script>alert(1)</script>"
    root = drawn(open_bundle(made(tmp_path / "odd", title=title)))
    assert not list(root.iter(f"{SVG}script"))
    assert any(title in (each.text or "") for each in root.iter(f"{SVG}text"))


def test_what_is_too_much_is_counted_and_not_drawn(tmp_path):
    """Tools that are alike share a row, what has no room is named with the option that shows it."""
    bundle = open_bundle(made(tmp_path / "big", tools=300, agents=100, roles=60, rules=200))
    text = picture(chart_of(bundle, Wanted(), unheard))
    assert len(text) < 4_000_000
    root = ET.fromstring(text)  # noqa: S314 - our own
    assert len(groups(root, "tool")) <= 60
    notes = " ".join(each.text for each in root.iter(f"{SVG}text") if each.text)
    assert re.search(r"[0-9]+ roles left out \(role[0-9]+, .*\): name some with --role", notes)
    assert re.search(r"tool[0-9]+ \+[0-9]+", notes)
    one = drawn(bundle, tools=("tool299",), agents=("agent99",))
    assert [each.get("data-tool") for each in groups(one, "tool")] == ["tool299"]


def test_the_picture_in_the_docs_is_of_the_bundle_as_it_is(shipped):
    """`adjudicator policy graph -o docs/policies.svg` makes it anew."""
    file = SHIPPED.parent / "docs" / "policies.svg"
    assert file.read_text() == picture(chart_of(shipped, Wanted(), unheard))


def test_a_long_name_keeps_its_beginning_and_its_end():
    """A name is cut in the middle, where names that are alike differ least."""
    assert fitted("short", 10) == "short"
    cut = fitted("tool1-of-a-very-long-family-of-tools-77", 20)
    assert (cut[:5], cut[-2:], len(cut)) == ("tool1", "77", 20)
    assert width_of(fitted("東京" * 40, 20), 10) <= width_of("x" * 20, 10)


def test_layers_lead_from_left_to_right():
    """Each edge goes to a later layer, and passes one place in each layer between."""
    edges = [("a", "r"), ("b", "s"), ("r", "s"), ("s", "t"), ("a", "t")]
    layers = in_layers(["a", "b"], ["r", "s", "t"], edges)
    assert [layers.places[name][0] for name in "abrst"] == [0, 0, 1, 2, 3]
    for (member, role), route in layers.routes.items():
        assert [layer for layer, _ in route] == list(
            range(layers.places[member][0], layers.places[role][0] + 1)
        )
    taken = [place for route in layers.routes.values() for place in route[1:-1]]
    assert len(taken) == len(set(taken))
    assert not set(taken) & set(layers.places.values())


def test_a_ladder_is_drawn_without_a_crossing():
    """Agents in the reverse order of their roles: the roles are put where no edge crosses."""
    edges = [(f"a{number}", f"r{9 - number}") for number in range(10)]
    layers = in_layers(
        [f"a{number}" for number in range(10)], [f"r{number}" for number in range(10)], edges
    )
    downs = [layers.places[role][1] - layers.places[member][1] for member, role in edges]
    assert downs == [0.0] * 10

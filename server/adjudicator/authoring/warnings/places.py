"""Warnings with their place: a field of a row, a key of the registry or of `bundle.yaml`."""

from adjudicator.authoring.warnings.warning import BundleWarning, Code
from adjudicator.authoring.yaml_places import yaml_places
from adjudicator.policy.loader import OpenBundle
from adjudicator.policy.policy_reader import Policy


def at_row(policy: Policy, number: int, column: str, code: Code, message: str) -> BundleWarning:
    """A warning at the field of this column of a `p` row."""
    row = policy.rows[number]
    place = row.column(policy.shape.policy.index(column))
    return BundleWarning(row.file, row.line, place, code, message)


class KeyPlaces:
    """The places of one YAML file of a bundle."""

    def __init__(self, bundle: OpenBundle, file: str) -> None:
        self._file = file
        self._places = yaml_places(bundle.sources.files[file])

    def at(self, path: tuple[str, ...], code: Code, message: str) -> BundleWarning:
        """A warning at the key, or the text of a list, to which these keys lead."""
        line, column = self._places[path]
        return BundleWarning(self._file, line, column, code, message)

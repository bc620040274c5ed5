"""Paths that the system itself leads elsewhere: a process's root, its folders and its open files."""

import re

_LINK = re.compile(r"/+(?:proc/+[^/]+/+(?:task/+[^/]+/+)?(?:root|cwd|fd|exe|map_files)(?:/|\Z)|dev/+fd/)")


def leads_elsewhere(path: str) -> bool:
    """Whether an absolute path goes through a link of which every machine has one."""
    return _LINK.match(path) is not None

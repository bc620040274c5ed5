"""Whether the tables of a PostgreSQL database are as this version makes them, by the server's catalogue.

A view, a rule or a policy in a table's place could show a verification other rows than a sidecar, and
without its unique keys a table takes one call twice.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.storage.engine import Connection
from adjudicator.storage.postgres import function_of
from adjudicator.storage.schema import GUARDS, TABLES, emptying_guards

_TABLE = """
SELECT c.relnamespace, c.relkind::text = 'r' AND NOT c.relrowsecurity
  AND NOT EXISTS (SELECT 1 FROM pg_rewrite WHERE ev_class = c.oid)
FROM pg_class c WHERE c.oid = to_regclass(?::text)
"""
_COLUMNS = """
SELECT attname::text, format_type(atttypid, atttypmod), attnotnull, atthasdef FROM pg_attribute
WHERE attrelid = to_regclass(?::text) AND attnum > 0 AND NOT attisdropped
"""
_KEYS = """
SELECT array(
    SELECT a.attname::text FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number ORDER BY k.place
  ), coalesce(pg_get_expr(i.indpred, i.indrelid), '')
FROM pg_index i
WHERE i.indrelid = to_regclass(?::text) AND i.indisunique AND i.indisvalid AND i.indisready
"""
_TRIGGERS = """
SELECT t.tgname::text, c.relname::text, t.tgenabled::text, p.prosrc
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.relnamespace = ?
"""
_TYPES = {"INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea"}
_MADE = re.compile(r"CREATE TABLE (\w+) \(\n(.*?)\n\);", re.DOTALL)
_COLUMN = re.compile(r"  (\w+) (INTEGER|TEXT|BLOB)(.*?),?")
_KEY = re.compile(r"  PRIMARY KEY \((.*)\)")
_INDEX = re.compile(r"CREATE UNIQUE INDEX \w+ ON (\w+) \((.*?)\)(?: WHERE (.*))?;")


@dataclass(frozen=True, slots=True)
class _Table:
    """What a table has to have. Of a column: name, type, whether it refuses NULL, whether it has a default.

    Of a key: the columns, and the condition on the rows that it is about.
    """

    name: str
    columns: frozenset[tuple[str, str, bool, bool]]
    keys: frozenset[tuple[tuple[str, ...], str]]


def foreign_parts(db: Connection) -> list[str]:
    """What is not as this version makes it, each said in words."""
    found = [text for table in _tables() for text in _table_parts(db, table)]
    return found or _trigger_parts(db)


def _tables() -> Iterator[_Table]:
    indexes = [
        (table, (tuple(columns.split(", ")), f"({where})" if where else ""))
        for table, columns, where in _INDEX.findall(TABLES)
    ]
    for name, body in _MADE.findall(TABLES):
        columns, keys = set(), {key for table, key in indexes if table == name}
        for line in body.splitlines():
            if column := _COLUMN.fullmatch(line):
                own, kind, more = column.groups()
                primary = "PRIMARY KEY" in more
                columns.add((own, _TYPES[kind], primary or "NOT NULL" in more, False))
                keys |= {((own,), "")} if primary or "UNIQUE" in more else set()
            elif key := _KEY.fullmatch(line):
                keys.add((tuple(key[1].split(", ")), ""))
        yield _Table(name, frozenset(columns), frozenset(keys))


def _table_parts(db: Connection, table: _Table) -> Iterator[str]:
    name = table.name
    row = db.execute(_TABLE, (name,)).fetchone()
    if row is None:
        yield f"the table {name} is gone"
        return
    namespace, plain = row
    if namespace != _namespace(db):
        yield f"the table {name} is in another schema than the others"
    if not plain:
        yield f"the table {name} is none, or has rules or policies of rows"
    if table.columns != {tuple(each) for each in db.execute(_COLUMNS, (name,)).fetchall()}:
        yield f"the table {name} was changed: it has other columns"
    keys = {(tuple(columns), where) for columns, where in db.execute(_KEYS, (name,)).fetchall()}
    for columns, _ in sorted(table.keys - keys):
        yield f"the table {name} was changed: its unique key ({', '.join(columns)}) is gone"


def _trigger_parts(db: Connection) -> list[str]:
    theirs = {
        (name, table): (enabled, source)
        for name, table, enabled, source in db.execute(_TRIGGERS, (_namespace(db),)).fetchall()
    }
    ours = {(each.name, each.table): function_of(each) for each in (*GUARDS, *emptying_guards(GUARDS))}
    gone = [f"the trigger {name} is gone" for name, _ in sorted(ours.keys() - theirs.keys())]
    added = [f"the trigger {name} is not ours" for name, _ in sorted(theirs.keys() - ours.keys())]
    changed = [
        f"the trigger {key[0]} was changed"
        for key in sorted(ours.keys() & theirs.keys())
        if theirs[key][0] != "O" or theirs[key][1].strip() != ours[key].strip()
    ]
    return gone + added + changed


def _namespace(db: Connection) -> int:
    """The schema that our tables are in, which need not be the first on the search path."""
    return int(db.execute(_TABLE, ("meta",)).fetchone()[0])

"""Writes core/catalogs/time_zones.def, and tests/tables/time_zones.txt by the zoneinfo module of Python, from an
unpacked package tzdata of PyPI, into a folder.

usage: python3 scripts/time_zones.py PACKAGE FOLDER
"""

from __future__ import annotations

import datetime
import re
import struct
import sys
import zoneinfo
from pathlib import Path

FIRST_YEAR = 2020
LAST_YEAR = 2087  # the tables of tzdata end before
WIDTH = 118

Changes = list[tuple[int, int]]


def epoch(year: int) -> int:
    return int(datetime.datetime(year, 1, 1, tzinfo=datetime.timezone.utc).timestamp())


def read(path: Path) -> tuple[int, Changes, str]:
    """The first offset of a compiled zone, its changes as (seconds, offset), and the rule that follows them (RFC
    9636)."""
    data = path.read_bytes()

    def counts(at: int) -> tuple[int, ...]:
        return struct.unpack(">6l", data[at + 20 : at + 44])

    is_ut, is_standard, leap, changes, types, letters = counts(0)
    at = 44 + changes * 5 + types * 6 + letters + leap * 8 + is_standard + is_ut
    is_ut, is_standard, leap, changes, types, letters = counts(at)
    at += 44
    times = struct.unpack(f">{changes}q", data[at : at + 8 * changes])
    at += 8 * changes
    kinds = data[at : at + changes]
    at += changes
    offsets = [struct.unpack(">l", data[at + 6 * kind : at + 6 * kind + 4])[0] for kind in range(types)]
    at += types * 6 + letters + leap * 12 + is_standard + is_ut
    return offsets[0], [(time, offsets[kind]) for time, kind in zip(times, kinds)], data[at:].decode().strip()


def recent(first: int, changes: Changes) -> tuple[int, Changes]:
    """Without the changes before FIRST_YEAR, and without those that change no offset but the last one, from which on
    the rule holds."""
    since = epoch(FIRST_YEAR)
    before = [offset for time, offset in changes if time < since]
    kept: Changes = []
    current = before[-1] if before else first
    first = current
    for time, offset in changes:
        if time >= since and (offset != current or time == changes[-1][0]):
            kept.append((time, offset))
            current = offset
    return first, kept


def lines_of(items: list[str]) -> list[str]:
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + 1 + len(item) > WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + item
    return lines


def definitions(release: str, zones: dict[str, tuple[int, Changes, str]]) -> str:
    names: dict[tuple[int, tuple[tuple[int, int], ...]], str] = {}
    tables: list[str] = []
    rows: list[str] = []
    for zone, (first, changes, rule) in zones.items():
        if not changes:
            rows.append(f'ORLOP_ZONE("{zone}", "{rule}", 0, no_changes)')
            continue
        key = (first, tuple(changes))
        if key not in names:
            names[key] = "changes_of_" + re.sub(r"\W", "_", zone.lower())
            items = [
                f"{{{time}, {offset}}}" + ("," if number < len(changes) else ")")
                for number, (time, offset) in enumerate(changes, 1)
            ]
            tables += lines_of([f"ORLOP_ZONE_CHANGES({names[key]},", *items])
        rows.append(f'ORLOP_ZONE("{zone}", "{rule}", {first}, {names[key]})')
    head = f"""// The time zones of the IANA database, release {release} (package tzdata of PyPI). Written by scripts/generate-time-zones.
// ORLOP_ZONE_CHANGES(name, {{instant, offset}}...): the changes of clocks since {FIRST_YEAR} that do not follow from a rule, in seconds since 1970 and from UTC.
// ORLOP_ZONE(zone, rule, first offset, changes): in order of their bytes, each with the rule of the time after its changes: a POSIX TZ string.
"""
    return head + "\n".join(tables + lines_of(rows)) + "\n#undef ORLOP_ZONE_CHANGES\n#undef ORLOP_ZONE\n"


def offset_minutes(zone: zoneinfo.ZoneInfo, at: int) -> int:
    offset = datetime.datetime.fromtimestamp(at, tz=zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds()) // 60


def expected(release: str, zones: dict[str, tuple[int, Changes, str]]) -> str:
    lines = [
        f"# Time zone, instant, minutes from UTC to local time, by the zoneinfo module of Python and release "
        f"{release} of tzdata. One zone for each row of changes and rule of",
        f"# core/catalogs/time_zones.def: the first instant of {FIRST_YEAR} or 2027, and the minutes before and "
        f"after each change. Of zones with a rule alone: the changes of 2027; of others",
        f"# those until 2030, and those of {LAST_YEAR - 1}. Written by scripts/generate-time-zones.",
    ]
    seen: set[tuple[int, tuple[tuple[int, int], ...], str]] = set()
    for zone, (first, changes, rule) in zones.items():
        if (first, tuple(changes), rule) in seen:
            continue
        seen.add((first, tuple(changes), rule))
        info = zoneinfo.ZoneInfo(zone)
        years = [2027] if not changes else [*range(FIRST_YEAR, 2030), LAST_YEAR - 1]
        lines += [
            f"{zone} {datetime.datetime.fromtimestamp(at, tz=datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ} "
            f"{offset_minutes(info, at)}"
            for at in instants(info, years)
        ]
    return "\n".join(lines) + "\n"


def instants(info: zoneinfo.ZoneInfo, years: list[int]) -> list[int]:
    minute = 60
    found = [epoch(years[0])]
    for year in years:
        # Clocks change at full quarters of an hour.
        for at in range(epoch(year), epoch(year + 1), 15 * minute):
            if offset_minutes(info, at) != offset_minutes(info, at - minute):
                found += [at - minute, at]
    return sorted(set(found))


def main() -> None:
    folder, root = Path(sys.argv[1]), Path(sys.argv[2])
    release = re.search(r'IANA_VERSION = "(\w+)"', (folder / "__init__.py").read_text())
    assert release is not None
    zoneinfo.reset_tzpath(to=[str(folder / "zoneinfo")])
    names = sorted((folder / "zones").read_text().split())
    zones: dict[str, tuple[int, Changes, str]] = {}
    for name in names:
        first, changes, rule = read(folder / "zoneinfo" / name)
        zones[name] = (*recent(first, changes), rule)
    (root / "core/catalogs/time_zones.def").write_text(definitions(release[1], zones))
    (root / "tests/tables/time_zones.txt").write_text(expected(release[1], zones))


if __name__ == "__main__":
    main()

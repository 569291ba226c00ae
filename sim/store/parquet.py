"""Results as Parquet files: sums of a chunk, sums of all cells, rows of games."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from sim.core.game import SHARE_UNIT
from sim.experiment import Experiment
from sim.redraws import Hands
from sim.results import Cell, Rows, Totals, totals_hash
from sim.schedule import Chunk

if TYPE_CHECKING:
    import pyarrow as pa

# Arrow's own pools keep what they had: with the system's a run of mode games takes 100 MB less.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

ROW_GROUP = 65_536  # games; twice as many take 100 MB more while they are merged
_OPTIONS = {"compression": "zstd", "compression_level": 3, "write_page_checksum": True}


def part_file(
    chunk: Chunk, totals: Totals, seconds: float, experiment: Experiment, rows: bytes | None
) -> bytes:
    """The sums of one chunk; `rows` is the file of its games, if there is one."""
    own: dict[str, list[Any]] = {
        "cell": [chunk.cell],
        "first": [chunk.first],
        "last": [chunk.last],
        "seconds": [seconds],
    }
    words = {
        "experiment": experiment.fingerprint,
        "totals": totals_hash(totals),
        "rows": hashlib.sha256(rows or b"").hexdigest(),
    }
    return _with_totals(own, [totals], words)


def read_part(path: Path, experiment: Experiment) -> tuple[Chunk, Totals, float]:
    """Read the sums of a chunk and the seconds it took, and check them and the rows of its games.

    Raises
    ------
    OSError, ValueError, KeyError, TypeError, IndexError
        A file is damaged or is no part of this experiment.
    """
    table = _read(path)
    (row,) = _lines(table)
    words = table.schema.metadata
    if words[b"experiment"].decode() != experiment.fingerprint:
        raise ValueError("it belongs to another experiment")
    chunk = Chunk(row["cell"], row["first"], row["last"])
    totals = _totals(row, json.loads(words[b"shapes"]))
    rotations = experiment.rotations(experiment.cells[chunk.cell][1])
    if int(totals["games"][0]) != (chunk.last - chunk.first) * rotations:
        raise ValueError("it does not hold all games of its deals")
    if totals_hash(totals) != words[b"totals"].decode():
        raise ValueError("its sums have changed")
    rows = rows_path(path).read_bytes() if experiment.mode == "games" else b""
    if hashlib.sha256(rows).hexdigest() != words[b"rows"].decode():
        raise ValueError("the rows of its games have changed")
    return chunk, totals, row["seconds"]


def totals_file(cells: Sequence[Cell]) -> bytes:
    """The sums of all cells, a row each."""
    own: dict[str, list[Any]] = {
        "variant": [cell.variant for cell in cells],
        "name": [cell.name for cell in cells],
        "lineup": [cell.lineup for cell in cells],
        "rotations": [cell.rotations for cell in cells],
    }
    return _with_totals(own, [cell.totals for cell in cells], {})


def read_totals(path: Path) -> list[Cell]:
    """Read the sums of all cells; raises what `read_part` does."""
    table = _read(path)
    shapes = json.loads(table.schema.metadata[b"shapes"])
    return [
        Cell(
            row["variant"],
            tuple(row["lineup"]),
            row["rotations"],
            _totals(row, shapes),
            row["name"],
        )
        for row in _lines(table)
    ]


def _with_totals(
    own: Mapping[str, list[Any]], every: Sequence[Totals], words: Mapping[str, str]
) -> bytes:
    """A file with a row of `own` and of flattened arrays for each totals of `every`."""
    import pyarrow as pa

    names, words_of = sorted(every[0]), pa.list_(pa.int64())
    arrays = {
        name: pa.array([totals[name].ravel() for totals in every], words_of) for name in names
    }
    shapes = json.dumps({name: every[0][name].shape for name in names})
    table = pa.table({**own, **arrays})
    return _file(table.replace_schema_metadata({"shapes": shapes, **words}))


def _lines(table: pa.Table) -> Iterator[dict[str, Any]]:
    """The rows of a table; lists of numbers as arrays, which take a tenth of the memory."""
    import pyarrow as pa

    numbers = pa.list_(pa.int64())
    for at in range(len(table)):
        yield {
            name: column[at].values.to_numpy() if column.type == numbers else column[at].as_py()
            for name, column in zip(table.column_names, table.columns, strict=True)
        }


def _totals(row: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]) -> Totals:
    return {name: np.array(row[name], np.int64).reshape(shape) for name, shape in shapes.items()}


def _file(table: pa.Table) -> bytes:
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(table, sink, **_OPTIONS)
    return sink.getvalue()


def _read(path: Path) -> pa.Table:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        return file.read()


# Hands


def hands_file(hands: Hands, source: str) -> bytes:
    """Hands that were kept, a row each: the values of all redraws, and the traits."""
    import pyarrow as pa

    table = pa.table(
        {
            f"{name}_{number}": np.ascontiguousarray(column)
            for name, array in (("value", hands.values), ("trait", hands.traits))
            for number, column in enumerate(array.T)
        }
    )
    return _file(table.replace_schema_metadata({"source": source, "sha256": hands.sha256}))


def read_hands(path: Path, source: str) -> Hands:
    """Read hands again and check them.

    Raises
    ------
    OSError, ValueError, KeyError, TypeError, IndexError
        The file is missing or damaged, or was played with other sources.
    """
    table = _read(path)
    values, traits = (
        np.column_stack(
            [table[column].to_numpy() for column in table.column_names if column.startswith(name)]
        )
        for name in ("value", "trait")
    )
    found, words = Hands(values, traits), table.schema.metadata
    if (words[b"source"].decode(), words[b"sha256"].decode()) != (source, found.sha256):
        raise ValueError("it is not what was written, or was played with other sources")
    return found


# Rows of games


def rows_file(rows: Rows) -> bytes:
    """The rows of a chunk, a column for each number: `score` of seat 1 is called `score_1`."""
    import pyarrow as pa

    return _file(pa.table(dict(_columns(rows))))


def _columns(rows: Rows) -> Iterator[tuple[str, Rows]]:
    """The numbers of rows that hold records and arrays of a value a seat.

    The engine's memory has room for the most seats a game can have; those at the table count.
    """
    seats = rows.dtype["entry"].shape[0]
    for name in rows.dtype.names or ():
        column = rows[name]
        if column.dtype.names:
            for inner in column.dtype.names:
                if column[inner].ndim == 1:
                    yield inner, np.ascontiguousarray(column[inner])
                else:
                    yield from _by_seat(inner, column[inner], seats)
        elif column.ndim == 1:
            yield name, np.ascontiguousarray(column)
        else:
            yield from _by_seat(name, column, seats)


def _by_seat(name: str, column: Rows, seats: int) -> Iterator[tuple[str, Rows]]:
    for seat in range(seats):
        yield f"{name}_{seat}", np.ascontiguousarray(column[:, seat])


def n_rows(path: Path) -> int:
    """Rows of a file, read from its end; raises what `read_part` does."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        return int(file.metadata.num_rows)


def read_games(path: Path, names: Sequence[str], first: int, last: int) -> dict[str, Rows]:
    """Some columns of the rows first .. last - 1, int64 each; raises what `read_part` does."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        ends = np.cumsum(
            [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
        )
        groups = range(int(np.searchsorted(ends, first, "right")), len(ends))
        tables, at = [], int(ends[groups[0] - 1]) if groups and groups[0] else 0
        for group in groups:
            if at >= last:
                break
            table = file.read_row_group(group, list(names))
            tables.append(table.slice(max(first - at, 0), last - max(at, first)))
            at = int(ends[group])
    table = pa.concat_tables(tables)
    return {name: table.column(name).to_numpy().astype(np.int64) for name in names}


def rows_path(part: Path) -> Path:
    """Where the rows stand that belong to the sums of a chunk."""
    return part.with_name(part.name.replace(".totals.", ".games."))


def _read_rows(path: Path) -> Iterator[pa.Table]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group)


def merge_rows(parts: Path, experiment: Experiment, sink: IO[bytes]) -> str:
    """Write the rows of all chunks in the order of cells and deals; return a hash of them.

    The rows of a group are in memory at a time, and groups do not depend on the chunks.
    """
    import pyarrow.parquet as pq

    digest, writer = hashlib.sha256(), None
    for table in _regrouped(_named_rows(parts, experiment)):
        writer = writer or pq.ParquetWriter(sink, table.schema, **_OPTIONS)
        writer.write_table(table, row_group_size=ROW_GROUP)
        for name in table.column_names[2:]:  # behind the names of variant and line-up
            digest.update(table.column(name).to_numpy().astype("<i8").tobytes())
    if writer:
        writer.close()
    return digest.hexdigest()


def _named_rows(parts: Path, experiment: Experiment) -> Iterator[pa.Table]:
    """The rows of all chunks in order, behind the names of their variant and line-up."""
    import pyarrow as pa

    for i, (variant, lineup) in enumerate(experiment.cells):
        for path in sorted(parts.glob(f"{i:04d}-*.totals.parquet")):
            for table in _read_rows(rows_path(path)):
                same = pa.array(np.zeros(len(table), np.int32))
                for name, word in (("lineup", lineup.name), ("variant", variant.name)):
                    column = pa.DictionaryArray.from_arrays(same, [word])
                    table = table.add_column(0, name, column)
                yield table.replace_schema_metadata({"win_share_unit": f"1/{SHARE_UNIT}"})


def _regrouped(tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """The same rows in tables of ROW_GROUP rows, whatever the chunks were."""
    import pyarrow as pa

    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        while sum(map(len, waiting)) >= ROW_GROUP:
            joined = pa.concat_tables(waiting)
            yield joined.slice(0, ROW_GROUP).unify_dictionaries().combine_chunks()
            waiting = [joined.slice(ROW_GROUP)]
    if sum(map(len, waiting)):
        yield pa.concat_tables(waiting).unify_dictionaries().combine_chunks()

"""Run folders: what was played, kept so that nothing finished is ever lost. The only Parquet.

Finished chunks are files of their own, written under another name first and then renamed. When
all are there they are merged, in the order of the deals, so that the final bytes and their hash do
not depend on workers, on the sizes and order of chunks, or on interruptions.

    experiment.toml  the resolved experiment      parts/          finished chunks, until merged
    manifest.json    versions, sources, state     totals.parquet  exact sums, a row a cell
    lock             held by the one who plays    games.parquet   a row a game (mode games)

Hands that were kept while all else was drawn anew have a folder with a file a setting.
"""

from sim.results import Cell, Run
from sim.store.folder import Folder, Status, games_of, open_run, status
from sim.store.redraws import hands

__all__ = ["Cell", "Folder", "Run", "Status", "games_of", "hands", "open_run", "status"]

"""Many hubs in one process: what a process for each hall costs.

Arguments: a folder with the SQLite databases of the halls. Prints a line when all of them serve.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from scorer.hub.hub import Hub, random_hex
from scorer.hub.identity import load_identity, server_context
from scorer.hub.server import HubOptions, Sockets, serve_hub
from scorer.hub.store.database import Database, sqlite_url
from scorer.hub.times import WallClock
from scorer.serving.server import open_socket
from scorer.system.sd_notify import Notifier


async def _serve(folder: Path) -> None:
    async with asyncio.TaskGroup() as group:
        for path in sorted(folder.glob("*.sqlite")):
            database = Database.open(sqlite_url(path))
            with database.write() as connection:
                identity = load_identity(connection, random_hex)
            context = server_context(identity, folder / path.stem)
            sockets = Sockets(open_socket("127.0.0.1", 0), open_socket("127.0.0.1", 0), context)
            hub = Hub(database, identity, WallClock(), path.stem)
            group.create_task(serve_hub(hub, HubOptions(), sockets, Notifier({})))
        await asyncio.sleep(2.0)  # until the slowest one has loaded
        print("serving", flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))

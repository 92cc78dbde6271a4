"""Uses each method of the published Python client once. Reads the settings as JSON from the standard input, and prints a line of JSON for
each row: its name, and its problem or null. The argument is the folder of the client's package."""

import asyncio
import json
import sys

sys.path.insert(0, sys.argv[1])
import call  # noqa: E402, F401
import find  # noqa: E402, F401
import tools  # noqa: E402, F401
from rows import ROWS, client_of, settings  # noqa: E402


async def main():
    for name, check in ROWS:
        problem = None
        client = client_of(settings)
        try:
            await check(client)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"[:300]
        await client.aclose()
        print(json.dumps({"row": name, "problem": problem}), flush=True)


asyncio.run(main())

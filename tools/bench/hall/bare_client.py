"""The reference of scorer link: a client of asyncio and ssl alone.

``python bare_client.py HOST PORT TOKEN`` prints a line when it is connected. It imports nothing
else, and is not started as a module: the package would import the benchmarks.
"""

import asyncio
import ssl
import sys


async def _listen(host: str, port: str, token: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    reader, writer = await asyncio.open_connection(host, int(port), ssl=context)
    head = f"GET /link/v1/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n"
    writer.write(head.encode("ascii"))
    await reader.readuntil(b"event: beat")
    sys.stdout.write("connected\n")
    sys.stdout.flush()
    while await reader.read(1 << 14):
        continue


if __name__ == "__main__":
    asyncio.run(_listen(*sys.argv[1:]))

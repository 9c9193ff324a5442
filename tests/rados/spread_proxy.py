"""Gives each request of each connection to one of several servers, at random: for clients that know one endpoint only."""

import asyncio
import random
import re
import threading


async def read_message(reader):
    """Head and body of an HTTP message with a Content-Length, or of none; b"" at the end of the connection."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    length = re.search(rb"(?i)^content-length:\s*(\d+)", head, re.MULTILINE)
    return head + (await reader.readexactly(int(length.group(1))) if length else b"")


class SpreadProxy:
    """with SpreadProxy(ports) as proxy: … proxy.endpoint …"""

    def __init__(self, ports):
        self.ports, self.counts = ports, {port: 0 for port in ports}
        self.loop = asyncio.new_event_loop()
        self.endpoint = None

    def __enter__(self):
        started = threading.Event()

        async def start():
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=64 << 20)
            self.endpoint = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            started.set()

        def run():
            self.loop.create_task(start())
            self.loop.run_forever()

        threading.Thread(target=run, daemon=True).start()
        started.wait()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)

    async def serve(self, reader, writer):
        servers = {}
        try:
            while request := await read_message(reader):
                port = random.choice(self.ports)
                self.counts[port] += 1
                if port not in servers:
                    servers[port] = await asyncio.open_connection("127.0.0.1", port, limit=64 << 20)
                servers[port][1].write(request)
                answer = await read_message(servers[port][0])
                if not answer:
                    break
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            for _, server in servers.values():
                server.close()
            writer.close()

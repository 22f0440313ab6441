#!/usr/bin/env bash
# HTTP clients in Python: a total timeout of one second allows an answer of four seconds.
#
# Versions: PyPI urllib3 2.8.0, requests 2.34.2, httpx 0.28.1, aiohttp 3.14.5. Needs Python 3.11.
#
# Guess: at least urllib3's Timeout(total=1) ends a request after a second.
# Seen: the clock starts again with each piece of the answer that arrives, in urllib.request, urllib3, requests and
# httpx alike; urllib3's documentation says so far below the parameter. Only aiohttp's ClientTimeout(total=1) bounds
# the request. A sender of webhooks with a timeout of 10 seconds waits for a slow receiver for as long as bytes
# arrive, unless it has a clock of its own.
#
# The server sends ten bytes, one each 0.4 seconds.
#> urllib.request, timeout=1        10 bytes in more than 3 s
#> urllib3, Timeout(total=1)        10 bytes in more than 3 s
#> requests, timeout=1              10 bytes in more than 3 s
#> httpx, timeout=1                 10 bytes in more than 3 s
#> aiohttp, ClientTimeout(total=1)  TimeoutError in less than 3 s
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check urllib3==2.8.0 requests==2.34.2 httpx==0.28.1 aiohttp==3.14.5

cat >timeouts.py <<'END'
import asyncio
import http.server
import threading
import time
import urllib.request

import aiohttp
import httpx
import requests
import urllib3


class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "10")
        self.end_headers()
        try:
            for _ in range(10):
                time.sleep(0.4)
                self.wfile.write(b"x")
        except OSError:
            pass  # The client has gone.

    def log_message(self, *_):
        pass


async def by_aiohttp(url):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=1)) as session, session.get(url) as response:
        return await response.read()


REQUESTS = {
    "urllib.request, timeout=1": lambda url: urllib.request.urlopen(url, timeout=1).read(),
    "urllib3, Timeout(total=1)": lambda url: urllib3.request("GET", url, timeout=urllib3.Timeout(total=1)).data,
    "requests, timeout=1": lambda url: requests.get(url, timeout=1).content,
    "httpx, timeout=1": lambda url: httpx.get(url, timeout=1).content,
    "aiohttp, ClientTimeout(total=1)": lambda url: asyncio.run(by_aiohttp(url)),
}
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
threading.Thread(target=server.serve_forever, daemon=True).start()
for name, request in REQUESTS.items():
    start = time.monotonic()
    try:
        result = f"{len(request(f'http://127.0.0.1:{server.server_port}/'))} bytes"
    except TimeoutError as error:
        result = type(error).__name__
    print(f"{name:32} {result} in {'more' if time.monotonic() - start > 3 else 'less'} than 3 s")
END
env -u HTTP_PROXY -u http_proxy venv/bin/python timeouts.py >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen

#!/usr/bin/env python3
"""Lists the songs of a Followspot, then tells what happens to them as it happens.

    FOLLOWSPOT_URL=http://localhost:3000 FOLLOWSPOT_TOKEN=... python3 examples/python/follow_songs.py

Python 3.9 or newer, and nothing beside its standard library. Ends with Ctrl-C.
"""

import base64
import json
import os
import random
import socket
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("FOLLOWSPOT_URL", "http://localhost:3000").rstrip("/")
TOKEN = os.environ.get("FOLLOWSPOT_TOKEN", "")
# The server says something at least this often, as a ping where nothing happens.
SILENCE_SECONDS = 60
LONGEST_WAIT_SECONDS = 30
# Of a token that is not good, or not any more: coming back would not help.
UNAUTHENTICATED = 4401


class Refused(Exception):
    """What the server answered in place of what was asked for: a code for programs, a sentence for people."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Closed(Exception):
    """The connection was closed; with a code where the server has closed it."""

    def __init__(self, code=0, reason=""):
        super().__init__(reason or "the connection is lost")
        self.code = code


def call(method, **body):
    """One call, such as "music.v1.MusicService/ListSongs". Waits where the server asks for it, three times at most."""
    request = urllib.request.Request(
        f"{URL}/followspot.{method}",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json", "authorization": f"Bearer {TOKEN}"},
    )
    for attempt in range(4):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            wait = error.headers.get("retry-after")
            if wait is None or attempt == 3:
                raise refusal_of(error) from None
            time.sleep(int(wait))


def refusal_of(error):
    try:
        body = json.load(error)
        return Refused(body["code"], body.get("message", ""))
    except (ValueError, KeyError):
        return Refused("unknown", f"{URL} answered {error.code}: is it a Followspot?")


class EventSocket:
    """A connection to /ws/events that follows topics: as much of RFC 6455 as that needs."""

    def __init__(self, topics):
        self._connection = self._open()
        self._read = self._connection.makefile("rb")
        self._shake_hands()
        self.say("ClientHello", token=TOKEN, subscriptions=topics)

    def __iter__(self):
        """Every message of the server, until the connection is closed, which raises Closed."""
        text = b""
        while True:
            is_last, kind, payload = self._frame()
            if kind == 0x8:
                raise Closed(int.from_bytes(payload[:2], "big"), payload[2:].decode())
            if kind == 0x9:
                self._send(0xA, payload)
            elif kind in (0x0, 0x1):
                text += payload
                if is_last:
                    yield json.loads(text)
                    text = b""

    def say(self, kind, **payload):
        self._send(0x1, json.dumps({"type": kind, "payload": payload}).encode())

    def close(self):
        self._connection.close()

    def _open(self):
        address = urllib.parse.urlsplit(URL)
        is_safe = address.scheme == "https"
        connection = socket.create_connection((address.hostname, address.port or (443 if is_safe else 80)), timeout=10)
        if is_safe:
            connection = ssl.create_default_context().wrap_socket(connection, server_hostname=address.hostname)
        connection.settimeout(SILENCE_SECONDS)
        return connection

    def _shake_hands(self):
        head = [
            "GET /ws/events HTTP/1.1",
            f"Host: {urllib.parse.urlsplit(URL).netloc}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        ]
        self._connection.sendall("\r\n".join([*head, "", ""]).encode())
        status = self._read.readline()
        while self._read.readline() not in (b"\r\n", b""):
            pass
        if b" 101 " not in status:
            raise Closed(reason=f"the server answered {status.decode().strip() or 'nothing'}")

    def _frame(self):
        first, second = self._exactly(2)
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(self._exactly(2 if size == 126 else 8), "big")
        return bool(first & 0x80), first & 0x0F, self._exactly(size)

    def _exactly(self, count):
        data = self._read.read(count)
        if len(data) < count:
            raise Closed()
        return data

    def _send(self, kind, payload):
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self._connection.sendall(bytes([0x80 | kind]) + length + mask + masked)


def list_songs():
    """All songs by id, page after page. Fields that hold their default are left out of an answer."""
    songs, token = {}, ""
    while True:
        page = call("music.v1.MusicService/ListSongs", list={"pageSize": 100, "pageToken": token})
        songs.update((song["id"], song) for song in page.get("songs", []))
        token = page.get("nextPageToken", "")
        if not token:
            return songs


def title_of(song):
    return f"{song.get('artist') or 'Unknown'} - {song.get('title', '')}"


def tell(envelope, songs):
    payload = envelope["payload"]
    if envelope["type"] == "song.progress":
        song = songs.get(payload["song_id"], {})
        print(f"{title_of(song)}: {payload['step']} {payload['progress']:.0%}", flush=True)
    elif "song" in payload:
        songs[payload["song_id"]] = payload["song"]
        print(f"{title_of(payload['song'])}: {envelope['type']}", flush=True)


def follow():
    """Reads the list, follows the topic, and does both again whenever the connection was lost."""
    wait = 0.5
    while True:
        try:
            events = EventSocket(["songs"])
            try:
                songs = {}
                for envelope in events:
                    kind = envelope["type"]
                    # Only once the topic is followed: what changes while the list is read is told behind it.
                    if kind in ("Subscribed", "Reset"):
                        songs = list_songs()
                        print(f"({len(songs)} songs: {'; '.join(map(title_of, songs.values()))})", flush=True)
                        wait = 0.5
                    elif kind == "Error":
                        raise Refused(envelope["payload"]["code"], envelope["payload"]["message"])
                    elif envelope["topic"] == "songs":
                        tell(envelope, songs)
            finally:
                events.close()
        except (Closed, OSError) as lost:
            if getattr(lost, "code", 0) == UNAUTHENTICATED:
                raise Refused("unauthenticated", "The token is not good, or not any more. Make a new one.") from None
            print(f"({lost}; again in {wait:.0f} s)", file=sys.stderr, flush=True)
            # Not all at once where a server was started again.
            time.sleep(wait * random.uniform(0.5, 1))
            wait = min(wait * 2, LONGEST_WAIT_SECONDS)


if __name__ == "__main__":
    try:
        follow()
    except Refused as refused:
        sys.exit(f"{refused} ({refused.code})")
    except KeyboardInterrupt:
        pass

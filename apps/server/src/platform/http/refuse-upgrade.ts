import type { Duplex } from "node:stream";

/** Answers a request for a WebSocket with an HTTP status, such as `403 Forbidden`, and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

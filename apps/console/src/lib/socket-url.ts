/** A path of this server as the address of a WebSocket. */
export const socketUrl = (path: string): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

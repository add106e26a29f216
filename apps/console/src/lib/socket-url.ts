import { serverPath } from "./base-path.ts";

/** Returns the WebSocket URL of a path on this server. */
export const socketUrl = (path: string): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${serverPath(path)}`;

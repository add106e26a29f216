import { useEffect, useReducer, useRef, useState } from "react";
import { socketUrl } from "../../lib/socket-url.ts";
import { playgroundStrings as text } from "./playground.strings.ts";
import { NO_TRAFFIC, withTraffic, type Entry } from "./traffic.ts";

export type ConnectionState = "closed" | "opening" | "open";

/** A socket of this server that is opened and closed by hand, with all that goes over it. It ends with the page. */
export function usePlaygroundConnection() {
  const socket = useRef<WebSocket>(undefined);
  const [state, setState] = useState<ConnectionState>("closed");
  const [traffic, change] = useReducer(withTraffic, NO_TRAFFIC);
  const note = (from: Entry["from"], said: string) =>
    change({ type: "add", entry: { at: Date.now(), from, text: said } });

  /** @param hello sent as soon as the connection is open */
  const connect = (path: string, hello?: object) => {
    const opened = new WebSocket(socketUrl(path));
    socket.current = opened;
    setState("opening");
    opened.addEventListener("open", () => {
      setState("open");
      note("socket", text.opened(path));
      if (hello) send(JSON.stringify(hello));
    });
    opened.addEventListener("message", ({ data }) => note("server", String(data)));
    opened.addEventListener("close", ({ code, reason }) => {
      // Another one may have been opened meanwhile.
      if (socket.current !== opened) return;
      setState("closed");
      note("socket", text.ended(code, reason));
    });
  };
  const send = (message: string) => {
    socket.current?.send(message);
    note("client", message);
  };
  useEffect(() => () => socket.current?.close(), []);
  return { state, traffic, change, connect, send, disconnect: () => socket.current?.close() };
}

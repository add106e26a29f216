import { useEffect, useSyncExternalStore } from "react";
import { socketUrl } from "./socket-url.ts";
import { createStore, type Store } from "./store.ts";

/** Delay before an unused connection is closed, ms, so that changing screens keeps it. */
const LINGER_MS = 2000;

interface Closable {
  readonly close: () => void;
}

export interface SharedConnection<View, Shared extends Closable> {
  /** Keeps the connection open while a component that calls it is mounted. */
  readonly use: () => View;
  readonly view: Store<View>;
  /** The connection; undefined while no component uses it. */
  readonly now: () => Shared | undefined;
}

/**
 * Shares one connection to the stage among all components. It opens with the first component and closes shortly after
 * the last unmounts.
 * @param path of its socket
 * @param closed view while there is no connection
 * @param isNeeded whether the connection stays open although no component uses it
 */
export function sharedConnection<View extends { readonly connection: string }, Shared extends Closable>(
  path: string,
  closed: View,
  open: (url: string, onView: (view: View) => void) => Shared,
  isNeeded: (view: View) => boolean = () => false,
): SharedConnection<View, Shared> {
  const view = createStore<View>(closed);
  let connection: Shared | undefined;
  let users = 0;
  let closing: ReturnType<typeof setTimeout> | undefined;

  const leave = () => {
    if (users > 0) return;
    if (isNeeded(view.get())) return void (closing = setTimeout(leave, LINGER_MS));
    connection?.close();
    connection = undefined;
    view.set(closed);
  };
  const enter = () => {
    users++;
    clearTimeout(closing);
    // An ended connection belonged to an expired session.
    if (!connection || view.get().connection === "ended") {
      connection?.close();
      connection = open(socketUrl(path), view.set);
    }
    return () => {
      users--;
      if (users === 0) closing = setTimeout(leave, LINGER_MS);
    };
  };
  return {
    use: () => {
      useEffect(enter, []);
      return useSyncExternalStore(view.subscribe, view.get);
    },
    view,
    now: () => connection,
  };
}

import { useEffect, useSyncExternalStore } from "react";
import { socketUrl } from "./socket-url.ts";
import { createStore, type Store } from "./store.ts";

/** Closed a little later, so that going from screen to screen keeps the connection. */
const LINGER_MS = 2000;

interface Closable {
  readonly close: () => void;
}

export interface SharedConnection<View, Shared extends Closable> {
  /** Keeps the connection open as long as a screen shows it. */
  readonly use: () => View;
  readonly view: Store<View>;
  /** Undefined while no screen shows it. */
  readonly now: () => Shared | undefined;
}

/**
 * One connection to the stage for all that shows it: opened with the first screen, closed a little after the last.
 * @param path of its socket
 * @param closed what is shown while there is none
 * @param isNeeded whether it stays open though no screen shows it
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
    // One that was ended belonged to a session that is over.
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

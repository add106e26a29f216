import { useEffect, useSyncExternalStore } from "react";
import { socketUrl } from "./socket-url.ts";
import { createStore, type Store } from "./store.ts";

/** Closed a little later, so that going from screen to screen keeps the line. */
const LINGER_MS = 2000;

interface Line {
  readonly close: () => void;
}

export interface SharedConnection<View, Shared extends Line> {
  /** Keeps the line open as long as a screen shows it. */
  readonly use: () => View;
  readonly view: Store<View>;
  /** Undefined while no screen shows it. */
  readonly now: () => Shared | undefined;
}

/**
 * One line to the stage for all that shows it: opened with the first screen, closed a little after the last.
 * @param path of its socket
 * @param closed what is shown while there is none
 * @param isNeeded whether it stays open though no screen shows it
 */
export function sharedConnection<View extends { readonly line: string }, Shared extends Line>(
  path: string,
  closed: View,
  open: (url: string, onView: (view: View) => void) => Shared,
  isNeeded: (view: View) => boolean = () => false,
): SharedConnection<View, Shared> {
  const view = createStore<View>(closed);
  let line: Shared | undefined;
  let users = 0;
  let closing: ReturnType<typeof setTimeout> | undefined;

  const leave = () => {
    if (users > 0) return;
    if (isNeeded(view.get())) return void (closing = setTimeout(leave, LINGER_MS));
    line?.close();
    line = undefined;
    view.set(closed);
  };
  const enter = () => {
    users++;
    clearTimeout(closing);
    // One that was ended belonged to a session that is over.
    if (!line || view.get().line === "ended") {
      line?.close();
      line = open(socketUrl(path), view.set);
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
    now: () => line,
  };
}

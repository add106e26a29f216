import { useEffect, useRef } from "react";

/** An action of the current screen, as listed in the command palette. */
export interface ScreenCommand {
  readonly text: string;
  /** Shortcut of the action, formatted for display. */
  readonly keys?: string;
  readonly perform: () => void;
}

const offers = new Set<() => readonly ScreenCommand[]>();

/** Lists actions of a screen in the command palette while the screen is mounted. */
export function useScreenCommands(commands: readonly ScreenCommand[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const offer = () => latest.current;
    offers.add(offer);
    return () => void offers.delete(offer);
  }, []);
}

/** Returns the actions that the current screen offers now. */
export const screenCommands = (): readonly ScreenCommand[] => [...offers].flatMap((offer) => offer());

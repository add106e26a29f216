import { useEffect, useRef } from "react";

/** Something the screen in front can do, as the palette offers it. */
export interface ScreenCommand {
  readonly text: string;
  /** The keys that do the same, as a person reads them. */
  readonly keys?: string;
  readonly perform: () => void;
}

const offers = new Set<() => readonly ScreenCommand[]>();

/** Offers what a screen can do in the palette, while the screen is there. */
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

/** What the screen in front can do now. */
export const screenCommands = (): readonly ScreenCommand[] => [...offers].flatMap((offer) => offer());

/** When a preview is drawn, and the moment it shows. */
export interface PreviewClock {
  /**
   * Calls for every frame that is to be drawn, with the seconds of a song, or of nothing where light comes as it is sent.
   * @returns stops it
   */
  readonly onFrame: (draw: (seconds: number, wasSought: boolean) => void) => () => void;
  /** Asks for one more frame, also while nothing plays. */
  readonly redraw: () => void;
}

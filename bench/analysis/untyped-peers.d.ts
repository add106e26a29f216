declare module "music-tempo" {
  /** Beatroot in JavaScript: S. Dixon, 2001. Throws when it finds no beats. */
  export default class MusicTempo {
    constructor(
      samples: Float32Array,
      /** Seconds after which a hypothesis without a beat is dropped; 10. */
      options?: { expiryTime?: number },
    );
    readonly tempo: string | number;
    readonly beats: number[];
    /** Seconds. */
    readonly beatInterval: number;
  }
}

declare module "@audio/beat-track" {
  /** D. Ellis, "Beat tracking by dynamic programming", 2007, at the tempo of a comb filter. Mono samples. */
  export default function beatTrack(
    samples: Float32Array,
    options: { /** Samples per second. */ fs: number },
  ): { readonly beats: Float64Array; readonly bpm: number };
}

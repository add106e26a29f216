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
  }
}

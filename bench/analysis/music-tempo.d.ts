declare module "music-tempo" {
  /** Beatroot in JavaScript: S. Dixon, 2001. Throws when it finds no beats. */
  export default class MusicTempo {
    constructor(samples: Float32Array);
    readonly tempo: string | number;
    readonly beats: number[];
  }
}

import type { Noise } from "./noise.ts";

export const RATE = 44_100;

/** A note to be added to a track. */
export interface Sounded {
  /** Sample of its start. */
  readonly from: number;
  readonly seconds: number;
  readonly hz: number;
  /** 0..1 */
  readonly velocity: number;
  /** 0..1, dull to bright. */
  readonly tone: number;
  /** Of the whole song. */
  readonly noise: Noise;
}

/** Adds one note to a track; what rings on is cut at the track's end. */
export type Instrument = (track: Float32Array, note: Sounded) => void;

/** Adds a wave sample by sample: `sample(t, i)` for so many seconds. */
function add(track: Float32Array, from: number, seconds: number, sample: (t: number, i: number) => number): void {
  const count = Math.min(Math.ceil(seconds * RATE), track.length - from);
  for (let i = 0; i < count; i++) track[from + i]! += sample(i / RATE, i);
}

/** Attack, then held, then released, seconds. */
const held = (t: number, length: number, attack: number, release: number): number =>
  t < attack ? t / attack : t < length ? 1 : Math.max(0, 1 - (t - length) / release) ** 2;

/** A sawtooth of little aliasing: its step is rounded over one sample (PolyBLEP, Välimäki and Huovilainen 2007). */
function saw(phase: number, step: number): number {
  const p = phase - Math.floor(phase);
  const naive = 2 * p - 1;
  if (p < step) return naive - (p / step - 1) ** 2 * -1;
  if (p > 1 - step) return naive - ((p - 1) / step + 1) ** 2;
  return naive;
}

/** A low pass of two poles one after the other. */
class LowPass {
  #a = 0;
  #b = 0;
  next(x: number, hz: number): number {
    const k = 1 - Math.exp((-2 * Math.PI * Math.min(hz, 16_000)) / RATE);
    this.#a += k * (x - this.#a);
    this.#b += k * (this.#a - this.#b);
    return this.#b;
  }
}

/** A resonance around a frequency that lets it through as it is: two poles and two zeros (Smith, Introduction to Digital Filters). */
class Resonance {
  readonly #r2: number;
  readonly #turn: number;
  #x1 = 0;
  #x2 = 0;
  #y1 = 0;
  #y2 = 0;
  constructor(hz: number, width: number) {
    const r = Math.exp((-Math.PI * width) / RATE);
    this.#r2 = r * r;
    this.#turn = 2 * r * Math.cos((2 * Math.PI * hz) / RATE);
  }
  next(x: number): number {
    const y = ((1 - this.#r2) / 2) * (x - this.#x2) + this.#turn * this.#y1 - this.#r2 * this.#y2;
    this.#x2 = this.#x1;
    this.#x1 = x;
    this.#y2 = this.#y1;
    this.#y1 = y;
    return y;
  }
}

/** A sine that dies away, one turn of a vector a sample. */
class DyingSine {
  readonly #cos: number;
  readonly #sin: number;
  #x = 0;
  #y: number;
  /** @param decay in a second, as the exponent of e */
  constructor(hz: number, level: number, decay: number) {
    const shrink = Math.exp(-decay / RATE);
    this.#cos = shrink * Math.cos((2 * Math.PI * hz) / RATE);
    this.#sin = shrink * Math.sin((2 * Math.PI * hz) / RATE);
    this.#y = level;
  }
  next(): number {
    const x = this.#x * this.#cos + this.#y * this.#sin;
    this.#y = this.#y * this.#cos - this.#x * this.#sin;
    this.#x = x;
    return x;
  }
}

/** Noise without its lows. */
const hissing = (noise: Noise): (() => number) => {
  let before = 0;
  return () => {
    const now = noise.next();
    const high = now - before;
    before = now;
    return high * 0.6;
  };
};

export const kick: Instrument = (track, { from, velocity, noise }) =>
  add(track, from, 0.45, (t) => {
    const body = Math.sin(2 * Math.PI * (46 * t + (120 / 32) * (1 - Math.exp(-32 * t)))) * Math.exp(-6.5 * t);
    return velocity * (0.95 * body + 0.12 * noise.next() * Math.exp(-300 * t));
  });

export const snare: Instrument = (track, { from, velocity, noise }) => {
  const hiss = hissing(noise);
  add(track, from, 0.35, (t) => {
    const skin =
      Math.sin(2 * Math.PI * 186 * t) * Math.exp(-24 * t) + 0.5 * Math.sin(2 * Math.PI * 329 * t) * Math.exp(-30 * t);
    return velocity * (0.42 * skin + (0.3 * hiss() + 0.24 * noise.next()) * Math.exp(-17 * t));
  });
};

export const clap: Instrument = (track, { from, velocity, noise }) => {
  const room = new Resonance(1150, 900);
  add(track, from, 0.3, (t) => {
    const bursts = [0, 0.011, 0.022].reduce((sum, late) => sum + (t >= late ? Math.exp(-160 * (t - late)) : 0), 0);
    return velocity * 2 * room.next(noise.next() * (bursts * 0.7 + Math.exp(-22 * t) * 0.8));
  });
};

const cymbal =
  (decay: number, seconds: number, level: number): Instrument =>
  (track, { from, velocity, noise }) => {
    const hiss = hissing(noise);
    const metal = (t: number) => Math.sin(2 * Math.PI * 7400 * t) * Math.sin(2 * Math.PI * 5310 * t);
    add(track, from, seconds, (t) => velocity * level * (hiss() * 0.8 + metal(t) * 0.25) * Math.exp(-decay * t));
  };
export const hat = cymbal(70, 0.12, 0.5);
export const open = cymbal(11, 0.4, 0.42);
export const ride = cymbal(7, 0.6, 0.22);
export const shaker = cymbal(40, 0.15, 0.24);
export const crash = cymbal(2.1, 2.4, 0.6);

export const tom: Instrument = (track, { from, velocity, hz }) =>
  add(
    track,
    from,
    0.5,
    (t) => velocity * 0.7 * Math.sin(2 * Math.PI * (hz * t + (hz / 30) * (1 - Math.exp(-25 * t)))) * Math.exp(-8 * t),
  );

export const bass: Instrument = (track, { from, seconds, hz, velocity, tone }) => {
  const filter = new LowPass();
  let phase = 0;
  add(track, from, seconds + 0.06, (t) => {
    phase += hz / RATE;
    const open = 140 + hz + (500 + 1600 * tone) * Math.exp(-7 * t);
    const wave = 0.55 * filter.next(saw(phase, hz / RATE), open) + 0.5 * Math.sin(2 * Math.PI * phase);
    return velocity * wave * held(t, seconds, 0.006, 0.06);
  });
};

/** Three saws beside each other, behind a filter. */
export const pad: Instrument = (track, { from, seconds, hz, velocity, tone }) => {
  const filter = new LowPass();
  const phases = [0.13, 0.46, 0.81];
  const tuned = [0.9945, 1, 1.0058].map((by) => (hz * by) / RATE);
  add(track, from, seconds + 0.5, (t) => {
    let sum = 0;
    for (let v = 0; v < 3; v++) sum += saw((phases[v]! += tuned[v]!), tuned[v]!);
    return velocity * 0.16 * filter.next(sum, 350 + 3800 * tone * tone) * held(t, seconds, 0.12, 0.5);
  });
};

/** The same, softer and slower, with a bow's vibrato. */
export const strings: Instrument = (track, { from, seconds, hz, velocity, tone }) => {
  const filter = new LowPass();
  let a = 0.2;
  let b = 0.7;
  add(track, from, seconds + 0.6, (t) => {
    const bent = (hz * (1 + 0.004 * Math.sin(2 * Math.PI * 5.2 * t) * Math.min(1, t / 0.5))) / RATE;
    const wave = saw((a += bent * 0.997), bent) + saw((b += bent * 1.003), bent);
    return velocity * 0.17 * filter.next(wave, 600 + 2600 * tone) * held(t, seconds, 0.28, 0.6);
  });
};

/** Struck strings: overtones that are a little sharp and die the sooner the higher they are. */
export const piano: Instrument = (track, { from, seconds, hz, velocity, tone, noise }) => {
  const partials = Array.from({ length: 9 }, (_, i) => i + 1)
    .map((k) => ({ k, at: hz * k * Math.sqrt(1 + 0.0004 * k * k) }))
    .filter(({ at }) => at < 12_000)
    .map(({ k, at }) => new DyingSine(at, k ** -(2.1 - 0.9 * tone), 0.9 + 0.45 * k + hz / 420));
  add(track, from, Math.min(seconds + 0.18, 5), (t) => {
    let sum = noise.next() * 0.05 * Math.exp(-220 * t);
    for (const partial of partials) sum += partial.next();
    return velocity * 0.3 * sum * held(t, seconds, 0.003, 0.18);
  });
};

/** A short bright chord of a synthesizer. */
export const stab: Instrument = (track, { from, seconds, hz, velocity, tone }) => {
  const filter = new LowPass();
  let a = 0;
  let b = 0.5;
  add(track, from, seconds + 0.12, (t) => {
    const wave = saw((a += (hz * 1.003) / RATE), hz / RATE) + saw((b += (hz * 0.997) / RATE), hz / RATE);
    return (
      velocity * 0.2 * filter.next(wave, 500 + (1500 + 4500 * tone) * Math.exp(-5 * t)) * held(t, seconds, 0.004, 0.12)
    );
  });
};

/** A plucked string (Karplus and Strong 1983); its track is driven through an amplifier afterwards. */
export const guitar: Instrument = (track, { from, seconds, hz, velocity, tone, noise }) => {
  const length = Math.max(2, Math.round(RATE / hz - 0.5));
  const string = Float32Array.from({ length }, () => noise.next());
  const damping = 0.9945 + 0.004 * tone;
  let at = 0;
  add(track, from, seconds + 0.08, (t) => {
    const now = string[at]!;
    const next = string[(at + 1) % length]!;
    string[at] = damping * 0.5 * (now + next);
    at = (at + 1) % length;
    return velocity * 0.5 * now * held(t, seconds, 0.002, 0.08);
  });
};

/** Hertz of three formants of vowels that are sung (Fant 1960). */
const VOWELS = [
  [800, 1150, 2900],
  [500, 900, 2800],
  [450, 1700, 2700],
  [620, 1200, 2550],
] as const;
const FORMANT_LEVELS = [1, 0.6, 0.3] as const;
/** Root mean square of a note that is sung at full velocity. */
const SUNG = 0.17;

/** A singer: a buzz with vibrato through the formants of a vowel; each pitch has its own, and all are as loud. */
export const voice: Instrument = (track, { from, seconds, hz, velocity, noise }) => {
  const vowel = VOWELS[Math.round(hz) % VOWELS.length]!;
  const formants = vowel.map((f, i) => new Resonance(f, 120 + 60 * i));
  const warm = new LowPass();
  const note = new Float32Array(Math.max(0, Math.min(Math.ceil((seconds + 0.14) * RATE), track.length - from)));
  let phase = 0;
  let power = 0;
  add(note, 0, seconds + 0.14, (t) => {
    const vibrato = 0.007 * Math.sin(2 * Math.PI * 5.4 * t) * Math.min(1, Math.max(0, (t - 0.18) / 0.3));
    const scoop = -0.03 * Math.exp(-22 * t);
    const step = (hz * (1 + vibrato + scoop)) / RATE;
    phase += step;
    const buzz = warm.next(saw(phase, step), 2600) + 0.03 * noise.next();
    const sung = formants.reduce((sum, formant, i) => sum + FORMANT_LEVELS[i]! * formant.next(buzz), 0.1 * buzz);
    const sample = sung * held(t, seconds, 0.05, 0.14);
    power += sample * sample;
    return sample;
  });
  const gain = (velocity * SUNG) / Math.sqrt(power / Math.max(1, note.length) || 1);
  for (let i = 0; i < note.length; i++) track[from + i]! += gain * note[i]!;
};

export const lead: Instrument = (track, { from, seconds, hz, velocity, tone }) => {
  const filter = new LowPass();
  let a = 0;
  let b = 0.3;
  let c = 0.6;
  add(track, from, seconds + 0.1, (t) => {
    const wave =
      saw((a += hz / RATE), hz / RATE) +
      0.7 * saw((b += (hz * 1.007) / RATE), hz / RATE) +
      0.5 * saw((c += (hz * 0.5) / RATE), (hz * 0.5) / RATE);
    return velocity * 0.24 * filter.next(wave, 900 + 5200 * tone * Math.exp(-2.5 * t)) * held(t, seconds, 0.005, 0.1);
  });
};

/** Frequency modulation whose brightness dies first (Chowning 1973). */
export const bells: Instrument = (track, { from, seconds, hz, velocity }) =>
  add(track, from, seconds + 1.2, (t) => {
    const turn = Math.sin(2 * Math.PI * hz * 3.01 * t) * 1.6 * Math.exp(-5 * t);
    return velocity * 0.26 * Math.sin(2 * Math.PI * hz * t + turn) * Math.exp(-2.6 * t) * Math.min(1, t / 0.003);
  });

/** Noise that gets louder and brighter until it stops. */
export const riser: Instrument = (track, { from, seconds, velocity, noise }) => {
  const filter = new LowPass();
  const hiss = hissing(noise);
  add(track, from, seconds, (t) => {
    const risen = t / seconds;
    return (
      velocity *
      0.5 *
      risen *
      risen *
      (0.6 * filter.next(noise.next(), 300 + 7000 * risen * risen) + 0.4 * risen * hiss())
    );
  });
};

"""Sound sources of the electronic songs: oscillators, filters, envelopes, drum one-shots and playable patches.

Every sound is made from scratch with numpy so that its onset is known to the sample: a one-shot begins at its
index 0. Mono sounds are float arrays [n], stereo ones [n, 2]; frequencies are Hz and durations seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import signal

from .truth import SAMPLE_RATE

NYQUIST = SAMPLE_RATE / 2


# --- basics -----------------------------------------------------------------------------------------------------


def samples(seconds: float) -> int:
    """Length in samples, at least 1."""
    return max(1, int(round(seconds * SAMPLE_RATE)))


def clock(seconds: float) -> np.ndarray:
    """Time of each sample of a sound, [n] seconds."""
    return np.arange(samples(seconds)) / SAMPLE_RATE


def hertz(midi: float | np.ndarray) -> float | np.ndarray:
    """Frequency of a (fractional) MIDI pitch, A4 = 69 = 440 Hz."""
    return 440.0 * 2.0 ** ((np.asarray(midi, dtype=float) - 69.0) / 12.0)


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """A random number whose logarithm is uniform; fits frequencies and times."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def pick(rng: np.random.Generator, options):
    """One element of a sequence, uniformly."""
    return options[int(rng.integers(len(options)))]


def normalised(sound: np.ndarray, peak: float = 1.0) -> np.ndarray:
    """The sound as float32, scaled to a peak."""
    top = float(np.max(np.abs(sound))) if sound.size else 0.0
    return (sound * (peak / top if top > 0 else 0.0)).astype(np.float32)


def faded_out(sound: np.ndarray, seconds: float = 0.004) -> np.ndarray:
    """The sound with its last moments ramped to silence, so that cutting it does not click."""
    n = min(len(sound), samples(seconds))
    out = sound.copy()
    ramp = np.linspace(1.0, 0.0, n)
    out[-n:] *= ramp if out.ndim == 1 else ramp[:, None]
    return out


def place(buffer: np.ndarray, sound: np.ndarray, seconds: float, gain: float = 1.0) -> None:
    """Add a mono or stereo sound into a stereo buffer [n, 2] from a time on; what lies outside is cut off."""
    start = int(round(seconds * SAMPLE_RATE))
    skip = max(0, -start)
    start += skip
    n = min(len(sound) - skip, len(buffer) - start)
    if n <= 0:
        return
    piece = sound[skip : skip + n]
    buffer[start : start + n] += gain * (piece if piece.ndim == 2 else piece[:, None])


def panned(sound: np.ndarray, position: float) -> np.ndarray:
    """A mono sound as stereo [n, 2]; position -1 is left, 1 right, at equal power."""
    angle = (position + 1) * np.pi / 4
    return sound[:, None] * np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)[None, :] * np.float32(np.sqrt(2))


# --- envelopes --------------------------------------------------------------------------------------------------


def decay_envelope(seconds: float, time_constant: float, attack: float = 0.0) -> np.ndarray:
    """Linear attack, then exponential decay, [n]."""
    t = clock(seconds)
    shape = np.exp(-np.maximum(0.0, t - attack) / time_constant)
    return shape * np.minimum(1.0, t / attack) if attack > 0 else shape


def adsr(held: float, attack: float, decay: float, sustain: float, release: float) -> np.ndarray:
    """Level of a note held for `held` seconds, plus its release, [n]."""
    t = clock(held + release)
    level = np.minimum(1.0, t / max(attack, 1e-4))
    level *= sustain + (1 - sustain) * np.exp(-np.maximum(0.0, t - attack) / max(decay, 1e-3))
    after = np.maximum(0.0, t - held) / max(release, 1e-3)
    return level * np.maximum(0.0, 1 - after) ** 2


# --- filters ----------------------------------------------------------------------------------------------------


def lowpass(sound: np.ndarray, cutoff: float, order: int = 2) -> np.ndarray:
    """Butterworth low-pass along time."""
    sos = signal.butter(order, min(cutoff, 0.98 * NYQUIST), "low", fs=SAMPLE_RATE, output="sos")
    return signal.sosfilt(sos, sound, axis=0).astype(sound.dtype)


def highpass(sound: np.ndarray, cutoff: float, order: int = 2) -> np.ndarray:
    """Butterworth high-pass along time."""
    sos = signal.butter(order, min(cutoff, 0.95 * NYQUIST), "high", fs=SAMPLE_RATE, output="sos")
    return signal.sosfilt(sos, sound, axis=0).astype(sound.dtype)


def bandpass(sound: np.ndarray, low: float, high: float, order: int = 1) -> np.ndarray:
    """Butterworth band-pass along time."""
    edges = [low, min(high, 0.98 * NYQUIST)]
    sos = signal.butter(order, edges, "band", fs=SAMPLE_RATE, output="sos")
    return signal.sosfilt(sos, sound, axis=0).astype(sound.dtype)


def resonant_sections(cutoff: float, resonance: float, kind: str = "low") -> np.ndarray:
    """One second-order section [1, 6] of a resonant low- or high-pass (the audio-EQ-cookbook filters)."""
    w = 2 * np.pi * min(max(cutoff, 15.0), 0.95 * NYQUIST) / SAMPLE_RATE
    alpha, cosine = np.sin(w) / (2 * resonance), np.cos(w)
    if kind == "low":
        b = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
    else:
        b = ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2)
    a0 = 1 + alpha
    return np.array([[b[0] / a0, b[1] / a0, b[2] / a0, 1.0, -2 * cosine / a0, (1 - alpha) / a0]])


def swept_filter(
    sound: np.ndarray, cutoffs: np.ndarray, resonance: float = 0.8, kind: str = "low", block: int = 256
) -> np.ndarray:
    """A resonant filter whose cutoff moves: `cutoffs` [k] Hz are spread evenly over the sound, [n] or [n, 2]."""
    out = np.empty_like(sound)
    starts = np.arange(0, len(sound), block)
    path = np.interp(starts, np.linspace(0, len(sound), len(cutoffs)), cutoffs)
    state = np.zeros((1, 2) if sound.ndim == 1 else (1, 2, sound.shape[1]), dtype=sound.dtype)
    for start, cutoff in zip(starts, path):
        sections = resonant_sections(cutoff, resonance, kind).astype(sound.dtype)
        out[start : start + block], state = signal.sosfilt(sections, sound[start : start + block], axis=0, zi=state)
    return out


def driven(sound: np.ndarray, drive: float) -> np.ndarray:
    """Soft saturation; 0 leaves the sound as it is."""
    return np.tanh(sound * (1 + drive)) / np.tanh(1 + drive) if drive > 0 else sound


# --- oscillators ------------------------------------------------------------------------------------------------


def step_correction(phase: np.ndarray, increment: float) -> np.ndarray:
    """What rounds off a downward step at phase 0 (polyBLEP), to keep aliases low."""
    out = np.zeros_like(phase)
    after = phase < increment
    x = phase[after] / increment
    out[after] = 2 * x - x * x - 1
    before = phase > 1 - increment
    x = (phase[before] - 1) / increment
    out[before] = x * x + 2 * x + 1
    return out


def saw(frequency: float, n: int, phase: float = 0.0) -> np.ndarray:
    """Band-limited sawtooth, [n]."""
    increment = frequency / SAMPLE_RATE
    position = (phase + increment * np.arange(n)) % 1.0
    return 2 * position - 1 - step_correction(position, increment)


def pulse(frequency: float, n: int, phase: float = 0.0, width: float = 0.5) -> np.ndarray:
    """Band-limited pulse wave, [n]; as the difference of two saws it carries no offset."""
    return saw(frequency, n, phase) - saw(frequency, n, phase + width)


def triangle(frequency: float, n: int, phase: float = 0.0) -> np.ndarray:
    """Triangle wave, [n]."""
    return 4 * np.abs((phase + frequency / SAMPLE_RATE * np.arange(n)) % 1.0 - 0.5) - 1


def sine(frequency: float, n: int, phase: float = 0.0) -> np.ndarray:
    """Sine wave, [n]."""
    return np.sin(2 * np.pi * (phase + frequency / SAMPLE_RATE * np.arange(n)))


OSCILLATORS = {"saw": saw, "pulse": pulse, "triangle": triangle, "sine": sine}


def gliding_sine(frequencies: np.ndarray) -> np.ndarray:
    """Sine that follows a frequency path [n] Hz, from phase 0."""
    return np.sin(2 * np.pi * (np.cumsum(frequencies) - frequencies[0]) / SAMPLE_RATE)


# --- drums ------------------------------------------------------------------------------------------------------


def kick(rng: np.random.Generator, character: str) -> np.ndarray:
    """Bass drum: a sine falling in pitch, with a click. Characters: punchy, soft, clicky, hard, boomy."""
    length = {"punchy": 0.32, "soft": 0.35, "clicky": 0.22, "hard": 0.38, "boomy": 0.7}[character] * rng.uniform(0.8, 1.2)
    base = rng.uniform(43, 58)
    rise = {"punchy": 230, "soft": 70, "clicky": 380, "hard": 320, "boomy": 140}[character] * rng.uniform(0.6, 1.4)
    t = clock(length)
    body = gliding_sine(base + rise * np.exp(-t / rng.uniform(0.012, 0.035)) + 0.4 * rise * np.exp(-t / 0.09))
    attack = rng.uniform(0.001, 0.003) if character == "soft" else 0.0005
    body *= decay_envelope(length, length / rng.uniform(2.2, 4.0), attack)
    drive = {"punchy": 0.6, "soft": 0.0, "clicky": 0.4, "hard": rng.uniform(4, 12), "boomy": 0.8}[character]
    body = driven(body, drive)
    amount = {"punchy": 0.25, "soft": 0.02, "clicky": 0.8, "hard": 0.35, "boomy": 0.1}[character] * rng.uniform(0.5, 1.5)
    click = highpass(rng.standard_normal(len(t)), rng.uniform(900, 4000)) * np.exp(-t / rng.uniform(0.001, 0.006))
    return normalised(faded_out(body + amount * 0.5 * click, 0.02))


def snare(rng: np.random.Generator, kind: str) -> np.ndarray:
    """Backbeat sounds. Kinds: snare, clap, rim, noise (synth snare), layered (snare and clap)."""
    if kind == "layered":
        first, second = snare(rng, "snare"), snare(rng, "clap")
        out = np.zeros(max(len(first), len(second)), dtype=np.float32)
        out[: len(first)] += first
        out[: len(second)] += second * rng.uniform(0.4, 1.0)
        return normalised(out)
    if kind == "clap":
        length = rng.uniform(0.15, 0.4)
        t = clock(length)
        level = 0.8 * np.exp(-t / rng.uniform(0.04, 0.11)) * (t > 0.02)
        for burst in np.arange(3) * rng.uniform(0.006, 0.011):
            level += (t >= burst) * np.exp(-np.maximum(0, t - burst) / 0.004)
        centre = rng.uniform(900, 1800)
        return normalised(faded_out(bandpass(rng.standard_normal(len(t)), centre * 0.6, centre * 2.2) * level))
    if kind == "rim":
        length = rng.uniform(0.05, 0.1)
        t = clock(length)
        tone = sine(rng.uniform(400, 600), len(t)) + sine(rng.uniform(1500, 1900), len(t), 0.2)
        return normalised(faded_out((tone + 0.4 * rng.standard_normal(len(t))) * np.exp(-t / rng.uniform(0.006, 0.018))))
    length = rng.uniform(0.15, 0.45)
    t = clock(length)
    pitch = rng.uniform(150, 240)
    tone = gliding_sine(pitch * (1 + 0.6 * np.exp(-t / 0.012))) * np.exp(-t / rng.uniform(0.04, 0.12))
    rattle = highpass(rng.standard_normal(len(t)), log_uniform(rng, 700, 3500)) * np.exp(-t / rng.uniform(0.04, 0.14))
    balance = rng.uniform(0.05, 0.3) if kind == "noise" else rng.uniform(0.4, 1.2)
    return normalised(faded_out(driven(balance * tone + 0.5 * rattle, rng.uniform(0, 1.5))))


def metal(rng: np.random.Generator, n: int) -> np.ndarray:
    """The inharmonic clang of cymbals: six square waves, high-passed, [n]."""
    base = rng.uniform(240, 520)
    ratios = np.array([1.0, 1.342, 1.619, 1.927, 2.503, 2.664]) * rng.uniform(0.95, 1.05, 6)
    tone = sum(np.sign(sine(base * ratio, n, rng.uniform())) for ratio in ratios)
    return highpass(tone, 6000, 2)


def hat(rng: np.random.Generator, open_: bool) -> np.ndarray:
    """Hi-hat from noise, metal or both."""
    constant = rng.uniform(0.06, 0.2) if open_ else log_uniform(rng, 0.008, 0.05)
    length = min(0.5, constant * 5)
    n = samples(length)
    mix = pick(rng, (0.0, 0.5, 1.0))
    noise = highpass(rng.standard_normal(n), log_uniform(rng, 4000, 9500), 2)
    tone = normalised((1 - mix) * normalised(noise) + mix * normalised(metal(rng, n)))
    return normalised(faded_out(tone * decay_envelope(length, constant)), 0.7)


def ride(rng: np.random.Generator) -> np.ndarray:
    """Ride cymbal: a ping over a metallic wash."""
    length = rng.uniform(0.5, 0.9)
    n = samples(length)
    ping = sine(rng.uniform(2800, 4200), n) * decay_envelope(length, 0.08)
    wash = normalised(metal(rng, n)) + 0.3 * highpass(rng.standard_normal(n), 7000)
    return normalised(faded_out(0.3 * ping + wash * decay_envelope(length, rng.uniform(0.12, 0.3)), 0.05), 0.6)


def shaker(rng: np.random.Generator) -> np.ndarray:
    """Shaker: a short swell of high noise."""
    length = rng.uniform(0.06, 0.12)
    level = decay_envelope(length, rng.uniform(0.015, 0.03), attack=rng.uniform(0.006, 0.014))
    return normalised(faded_out(bandpass(rng.standard_normal(samples(length)), 4500, 12000) * level), 0.6)


def crash(rng: np.random.Generator) -> np.ndarray:
    """Crash cymbal, stereo."""
    length = rng.uniform(1.5, 3.0)
    n = samples(length)
    wash = highpass(rng.standard_normal((n, 2)), rng.uniform(2500, 5000)) + 0.3 * normalised(metal(rng, n))[:, None]
    return normalised(faded_out(wash * decay_envelope(length, length / 4)[:, None], 0.1), 0.8)


def tom(rng: np.random.Generator, pitch: float) -> np.ndarray:
    """Tom or conga: a sine that falls a little, `pitch` Hz."""
    length = rng.uniform(0.15, 0.35)
    t = clock(length)
    body = gliding_sine(pitch * (1 + rng.uniform(0.2, 0.7) * np.exp(-t / 0.03))) * np.exp(-t / (length / 4))
    return normalised(faded_out(body + 0.05 * rng.standard_normal(len(t)) * np.exp(-t / 0.01)), 0.9)


def blip(rng: np.random.Generator) -> np.ndarray:
    """Small percussion: wood block, cowbell or FM tick."""
    length = rng.uniform(0.05, 0.15)
    t = clock(length)
    pitch = log_uniform(rng, 350, 2200)
    modulator = rng.uniform(0, 4) * np.sin(2 * np.pi * pitch * rng.uniform(1.3, 3.7) * t) * np.exp(-t / 0.02)
    return normalised(faded_out(np.sin(2 * np.pi * pitch * t + modulator) * np.exp(-t / (length / 5))), 0.7)


# --- transitions ------------------------------------------------------------------------------------------------


def riser(rng: np.random.Generator, seconds: float) -> np.ndarray:
    """Noise (and often a tone) that climbs in pitch and level until its last sample, stereo."""
    n = samples(seconds)
    progress = np.linspace(0, 1, n)
    noise = rng.standard_normal((n, 2)).astype(np.float32)
    noise = swept_filter(noise, np.geomspace(rng.uniform(200, 600), rng.uniform(6000, 14000), 64), rng.uniform(0.8, 3))
    out = normalised(noise)
    if rng.random() < 0.6:
        low = rng.uniform(100, 300)
        tone = gliding_sine(low * rng.uniform(4, 10) ** progress)
        out = out + 0.5 * np.sign(tone).astype(np.float32)[:, None] * 0.4
    return normalised(faded_out(out * (progress ** rng.uniform(1, 2.5))[:, None], 0.01))


def downlifter(rng: np.random.Generator, seconds: float) -> np.ndarray:
    """Noise that falls in pitch and level, stereo."""
    noise = rng.standard_normal((samples(seconds), 2)).astype(np.float32)
    noise = swept_filter(noise, np.geomspace(rng.uniform(6000, 12000), 150, 64), 1.0)
    return normalised(noise * ((1 - np.linspace(0, 1, len(noise))) ** 2)[:, None])


def impact(rng: np.random.Generator) -> np.ndarray:
    """Deep boom with a burst of noise, mono."""
    length = rng.uniform(1.0, 2.5)
    t = clock(length)
    boom = gliding_sine(35 + 60 * np.exp(-t / 0.2)) * np.exp(-t / (length / 4))
    burst = lowpass(rng.standard_normal(len(t)), 2500) * np.exp(-t / 0.15)
    return normalised(faded_out(boom + 0.4 * burst, 0.05))


def space(rng: np.random.Generator, seconds: float) -> np.ndarray:
    """Impulse response of a room or hall [n, 2] of unit energy: decaying noise that loses its highs."""
    n = samples(seconds)
    t = clock(seconds)[:, None]
    noise = rng.standard_normal((n, 2))
    dark = lowpass(noise, 1800)
    tail = noise * np.exp(-t / (seconds / 12)) + 1.5 * dark * np.exp(-t / (seconds / 6))
    tail[: samples(rng.uniform(0.005, 0.03))] *= 0.1
    return (tail / np.sqrt(np.sum(tail**2) / 2)).astype(np.float32)


# --- patches ----------------------------------------------------------------------------------------------------


@dataclass
class Patch:
    """A subtractive synthesiser: stacked oscillators, a filter with its own envelope, a level envelope and drive.

    `play` caches what it renders, as songs repeat their notes.
    """

    family: str
    wave: str = "saw"
    voices: int = 1
    detune: float = 0.0
    """Spread of the voices, cents."""
    width: float = 0.0
    """0 is mono; 1 spreads the voices fully over the stereo field."""
    sub: float = 0.0
    """Level of a sine an octave below."""
    attack: float = 0.003
    decay: float = 0.3
    sustain: float = 0.6
    release: float = 0.08
    cutoff: float = 4000.0
    """Where the filter rests, Hz."""
    sweep: float = 0.0
    """Octaves by which the note's start (or a wobble's peak) opens the filter."""
    sweep_decay: float = 0.15
    resonance: float = 0.8
    wobble: float = 0.0
    """Hz of a filter oscillation that replaces the filter's envelope; 0 is none."""
    drive: float = 0.0
    glide: float = 0.0
    """Semitones the pitch falls from at the start of a note."""
    tuning: float = 0.0
    """Cents."""
    seed: int = 0
    cache: dict = field(default_factory=dict, repr=False)

    def play(self, midi: float, seconds: float) -> np.ndarray:
        """A note held for `seconds` at level about 1: [n] when mono, else [n, 2]."""
        key = (round(midi, 3), round(seconds, 4))
        if key not in self.cache:
            self.cache[key] = self.render(midi, seconds)
        return self.cache[key]

    def oscillate(self, frequency: float, n: int) -> np.ndarray:
        """The stacked voices: [n], or [n, 2] when spread."""
        rng = np.random.default_rng(self.seed)
        spread = np.linspace(-1, 1, self.voices) if self.voices > 1 else np.zeros(1)
        out = np.zeros((n, 2) if self.width > 0 else n, dtype=np.float32)
        for index, offset in enumerate(spread):
            pitch = frequency * 2 ** (offset * self.detune / 1200)
            tone = OSCILLATORS[self.wave](pitch, n, rng.uniform()).astype(np.float32)
            side = (1 if index % 2 else -1) * abs(offset) * self.width
            out += panned(tone, side) if self.width > 0 else tone
        out /= np.sqrt(self.voices)
        if self.sub > 0:
            low = (self.sub * sine(frequency / 2, n)).astype(np.float32)
            out += low[:, None] if out.ndim == 2 else low
        return out

    def filter_path(self, seconds: float) -> np.ndarray:
        """Cutoffs over the note, Hz, one per 5 ms."""
        t = np.arange(0, seconds + 0.005, 0.005)
        if self.wobble > 0:
            opening = 0.5 - 0.5 * np.cos(2 * np.pi * self.wobble * t)
        else:
            opening = np.exp(-t / self.sweep_decay)
        return np.minimum(self.cutoff * 2 ** (self.sweep * opening), 18000)

    def render(self, midi: float, seconds: float) -> np.ndarray:
        """As `play`, without the cache."""
        level = adsr(seconds, self.attack, self.decay, self.sustain, self.release).astype(np.float32)
        frequency = float(hertz(midi + self.tuning / 100))
        if self.glide > 0:
            t = clock(seconds + self.release)[: len(level)]
            tone = gliding_sine(frequency * 2 ** (self.glide / 12 * np.exp(-t / 0.02))).astype(np.float32)
        else:
            tone = self.oscillate(frequency, len(level))
        if self.cutoff < 17000:
            if self.sweep:
                tone = swept_filter(tone, self.filter_path(len(level) / SAMPLE_RATE), self.resonance)
            else:
                sections = resonant_sections(self.cutoff, self.resonance).astype(np.float32)
                tone = signal.sosfilt(sections, tone, axis=0)
        tone = driven(tone, self.drive)
        return (tone * (level[:, None] if tone.ndim == 2 else level)).astype(np.float32)


@dataclass
class FmPatch:
    """Two-operator frequency modulation: electric pianos, bells, organ-like stabs and growling basses."""

    family: str
    ratio: float = 1.0
    """Modulator over carrier frequency."""
    index: float = 2.0
    """Modulation at a note's start, radians."""
    index_decay: float = 0.3
    index_floor: float = 0.1
    attack: float = 0.003
    decay: float = 0.8
    sustain: float = 0.1
    release: float = 0.15
    tuning: float = 0.0
    cache: dict = field(default_factory=dict, repr=False)

    def play(self, midi: float, seconds: float) -> np.ndarray:
        """A note held for `seconds` at level about 1, [n]."""
        key = (round(midi, 3), round(seconds, 4))
        if key not in self.cache:
            self.cache[key] = self.render(midi, seconds)
        return self.cache[key]

    def render(self, midi: float, seconds: float) -> np.ndarray:
        """As `play`, without the cache."""
        level = adsr(seconds, self.attack, self.decay, self.sustain, self.release)
        t = np.arange(len(level)) / SAMPLE_RATE
        carrier = 2 * np.pi * float(hertz(midi + self.tuning / 100)) * t
        depth = self.index * (self.index_floor + (1 - self.index_floor) * np.exp(-t / self.index_decay))
        depth *= min(1.0, 2.0 ** ((72 - midi) / 24))
        return (np.sin(carrier + depth * np.sin(carrier * self.ratio)) * level).astype(np.float32)

"""
Bands written by hand: thirty styles from punk to salsa as step patterns, arranged, humanised and played by soundfonts.

They hold what trackers get wrong: off-beat chords louder than the beat, anticipated bass, one-drops, back-beats at
double and half feel, breaks without drums, odd metres, rubato and jumps of tempo.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .midi import SOUNDFONTS, Note, Part, add_note_truth, render_midi, write_midi
from .theory import Key, draw_form, draw_key, draw_progression, voiced
from .truth import Truth

KICK, SNARE, STICK, CLAP, HAT, OPEN, PEDAL, RIDE, CRASH, SHAKER, TAMBOURINE, COWBELL = (
    36, 38, 37, 39, 42, 46, 44, 51, 49, 70, 54, 56,
)  # fmt: skip
TOMS = (50, 48, 47, 45, 43, 41)
CONGA_HIGH, CONGA_LOW, CLAVE, BONGO = 63, 64, 75, 60


@dataclass(frozen=True)
class Style:
    """
    A groove. Patterns have one character per step: `X` accent, `x` normal, `o` soft, `.` rest.
    Several patterns of one instrument are alternatives. Chord patterns sound until the next stroke.
    """

    name: str
    tempi: tuple[float, float]
    """BPM of the notated beat."""
    drums: dict[int, tuple[str, ...]]
    bass: tuple[str, ...]
    """r root, f fifth, o octave, t third, n root of the next chord, `.` rest."""
    comp: tuple[str, ...]
    beats: int = 4
    steps: int = 4
    """Steps to a beat."""
    swing: float = 0
    """How much later, as a share of two steps, the second of two steps sounds (0.33 is a triplet)."""
    comp_programs: tuple[int, ...] = (0, 4, 27, 28, 16)
    bass_programs: tuple[int, ...] = (32, 33, 34, 35)
    short_comp: bool = False
    drift: float = 0.01
    """Standard deviation of the tempo around its mean, as a share."""
    lead: float = 0.5
    """How often an instrumental melody plays."""
    pads: float = 0.4
    minor: float = 0.4


R16 = "................"
STYLES: tuple[Style, ...] = (
    Style("rock", (96, 160), {KICK: ("X.......x.x.....", "X.....x.x.......", "X..x....x.x....."), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.", "X...x...X...x...")},
          ("r.r.r.r.r.r.r.r.", "r..rr...r..rr..."), ("X...............", "X.....x.x.......", "x.x.x.x.x.x.x.x."), comp_programs=(29, 30, 27, 25)),
    Style("slow rock", (66, 98), {KICK: ("X.......x.......", "X.........x.....", "X..x......x....."), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.",)},
          ("r.....r.r.......", "r...........f..."), ("X.......x.......", "x.o.x.o.x.o.x.o."), comp_programs=(25, 0, 27, 29)),
    Style("hard rock", (110, 168), {KICK: ("X.x.....X.x.....", "X.......X.x...x."), SNARE: ("....X.......X...",), OPEN: ("x...x...x...x...",), CRASH: (R16,)},
          ("r.r.r.r.r.r.r.r.",), ("X.x.x.x.X.x.x.x.", "X..x..x.X..x..x."), comp_programs=(29, 30), lead=0.3),
    Style("metal", (120, 200), {KICK: ("XxXxXxXxXxXxXxXx", "X.xxX.xxX.xxX.xx", "X..xx.X.X..xx.X."), SNARE: ("....X.......X...",), RIDE: ("x...x...x...x...",)},
          ("r.rrr.rrr.rrr.rr", "rrrrrrrrrrrrrrrr"), ("X.xxX.xxX.xxX.xx", "X.......X......."), comp_programs=(30, 29), lead=0.3, minor=0.9),
    Style("punk", (160, 204), {KICK: ("X...x...X.x.x...", "X.....x.X.....x."), SNARE: ("....X.......X...", "..X...X...X...X."), HAT: ("x...x...x...x...", "x.x.x.x.x.x.x.x.")},
          ("r.r.r.r.r.r.r.r.",), ("x.x.x.x.x.x.x.x.", "X...x...x...x..."), comp_programs=(29, 30), lead=0.2),
    Style("pop", (88, 130), {KICK: ("X.....x.X.......", "X...X...X...X...", "X..x..x...x....."), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.", "xxxxxxxxxxxxxxxx"), CLAP: (R16, "....x.......x...")},
          ("r.....r.r.......", "r..r..r.r..r..r.", "r.r.r.r.r.r.r.r."), ("X.......X.......", "x..x..x.x..x..x.", "..x...x...x...x.")),
    Style("ballad", (49, 78), {KICK: ("X.........x.....", "X......xx......."), STICK: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.", "x...x...x...x...")},
          ("r...............", "r.......f......."), ("xoxoxoxoxoxoxoxo", "X...x...x...x...", "x.o.x.o.x.o.x.o."), comp_programs=(0, 0, 4, 24, 46), drift=0.012, pads=0.7),
    Style("ballad 12/8", (49, 80), {KICK: ("X.....x.....", "X....xx....."), SNARE: ("...X.....X..",), HAT: ("xxxxxxxxxxxx",)},
          ("r.....r.....", "r..r..r..f.."), ("xxxxxxxxxxxx", "X.....X....."), steps=3, comp_programs=(0, 4, 25), pads=0.6),
    Style("six-eight ballad", (120, 190), {KICK: ("X...........",), STICK: ("......X.....",), HAT: ("x.x.x.x.x.x.",)},
          ("r.....f.....", "r..........."), ("x.x.x.x.x.x.", "X.....x....."), beats=6, steps=2, comp_programs=(0, 24, 25, 46), pads=0.6),
    Style("shuffle", (80, 150), {KICK: ("X.....X.....", "X..x..X..x..", "X.x...X....."), SNARE: ("...X.....X..",), HAT: ("x.xx.xx.xx.x",)},
          ("r.rt.tf.fo.o", "r..t..f..o..", "r.rr.rr.rr.r"), ("x.xx.xx.xx.x", "..x..x..x..x", "X.....X....."), steps=3, comp_programs=(25, 27, 0, 16)),
    Style("swing", (104, 204), {RIDE: ("x..x.xx..x.x",), PEDAL: ("...x.....x..",), KICK: (R16[:12], "o..o..o..o.."), SNARE: (R16[:12], "..o....o....")},
          ("r..t..f..n..", "r..f..t..n..", "r..o..f..t.."), ("..x......x..", "x....x......", ".....x......"), steps=3, comp_programs=(0, 26), bass_programs=(32,), drift=0.008),
    Style("bossa", (110, 160), {KICK: ("x..xx..xx..xx..x",), STICK: ("X..x..X...x..x..", "..x..x..X..x..x."), HAT: ("xxxxxxxxxxxxxxxx", "x.x.x.x.x.x.x.x.")},
          ("r.....f.f.....r.", "r..rf..ff..fr..r"), ("x..x..x...x..x..", "..x..x..x..x..x."), comp_programs=(24, 0, 4), bass_programs=(32,)),
    Style("samba", (92, 120), {KICK: ("o..Xo..Xo..Xo..X",), SHAKER: ("XoxXXoxXXoxXXoxX",), STICK: ("x.x.xx.x.x.xx.x.", "x..x.x..x.x..x.."), TAMBOURINE: (R16, "x.xxx.xxx.xxx.xx")},
          ("r...f..fr...f..f",), ("x.x..x.x.x..x.x.", "..xx..x...xx..x."), comp_programs=(24, 0, 4)),
    Style("salsa", (156, 204), {CLAVE: ("x.....x.....x.......x...x.......",), CONGA_HIGH: ("....x.......x.......x.......x...",), CONGA_LOW: ("............x.x.............x.x.",), COWBELL: ("X...x.x.X...x.x.X...x.x.X...x.x.", "X...X...X...X...X...X...X...X..."), BONGO: ("x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.",)},
          ("......f.....n.........f.....n...", "r.....f.....n.........f.....n..."), ("x.x...x...x...x...x...x...x...x.", "x...x.x...x.x...x.x...x.x...x.x."), comp_programs=(0, 1)),
    Style("cha-cha", (104, 132), {COWBELL: ("X...X...X...X...",), KICK: ("x.......x.......",), CONGA_LOW: ("............x.x.",), CONGA_HIGH: ("....x.......x...",), SHAKER: ("x.x.x.x.x.x.x.x.",)},
          ("r.....f...r.....", "r...r.r.....f..."), ("....x.......x...", "..x...x...x...x."), comp_programs=(0, 24, 16)),
    Style("reggae", (62, 92), {KICK: ("........X.......", "X.......X.......", "X...X...X...X..."), STICK: ("........X.......", "....x.......x..."), HAT: ("x.x.x.x.x.x.x.x.", "x..xx..xx..xx..x")},
          ("r..r..f.....t...", "..r.r...f..t....", "r.....r...f.t..."), ("....X.......X...", "....x.x.....x.x."), comp_programs=(16, 27, 28, 0), short_comp=True),
    Style("ska", (112, 176), {KICK: ("X...X...X...X...", "X.......X......."), SNARE: ("....X.......X...",), HAT: ("..x...x...x...x.", "x.x.x.x.x.x.x.x.")},
          ("r...t...f...t...", "r.r.f.f.o.o.f.f."), ("..X...X...X...X.",), comp_programs=(27, 28, 61, 0), short_comp=True),
    Style("funk", (88, 124), {KICK: ("X..x..x...x..x..", "X.x.....x.x..x..", "X......x..x....."), SNARE: ("....X..o.o..X..o", "....X.......X..."), HAT: ("xxxxxxxxxxxxxxxx", "x.x.x.xxx.x.x.x.")},
          ("r..r..o...r..f..", "r.....o.r..n.r..", "r.rr..o...rr..f."), (".x..x..x.x..x..x", "....x..x....x...", "..x..x....x..x.."), comp_programs=(27, 7, 4), short_comp=True),
    Style("disco", (108, 134), {KICK: ("X...X...X...X...",), SNARE: ("....X.......X...", R16), OPEN: ("..X...X...X...X.",), HAT: ("xxxxxxxxxxxxxxxx", R16)},
          ("r.o.r.o.r.o.r.o.", "..r...r...r...r.", "r..r..o.r..r..o."), (".x.x.x.x.x.x.x.x", "..x...x...x...x.", "X.......X......."), comp_programs=(27, 48, 4, 0), short_comp=True, pads=0.7),
    Style("soul", (92, 132), {KICK: ("X.....x.X.x.....", "X...X...X...X..."), SNARE: ("X...X...X...X...", "....X.......X..."), HAT: ("x.x.x.x.x.x.x.x.",), TAMBOURINE: ("....x.......x...",)},
          ("r..r..f.r...f.t.", "r...t...f...t..."), ("....x.......x...", "x.......x......."), comp_programs=(0, 16, 27, 61)),
    Style("country train", (92, 132), {KICK: ("X...X...X...X...", "X.......X......."), SNARE: ("xoXoxoXoxoXoxoXo", "oxXxoxXxoxXxoxXx"), HAT: (R16, "..x...x...x...x.")},
          ("r...f...r...f...", "r.......f......."), ("..x...x...x...x.", "x.xxx.xxx.xxx.xx"), comp_programs=(25, 24, 27, 105)),
    Style("two-step country", (80, 118), {KICK: ("X.......X.......",), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.",)},
          ("r.......f.......",), ("....X.......X...", "..x.x...x.x.x..."), comp_programs=(25, 0, 105), short_comp=True),
    Style("waltz", (84, 196), {KICK: ("X.....",), SNARE: ("......", "..x.x."), HAT: ("..x.x.", "x.x.x.")},
          ("r.....", "r...f."), ("..x.x.", "X.....", "xxxxxx"), beats=3, steps=2, comp_programs=(0, 21, 24, 48)),
    Style("five-four", (100, 180), {KICK: ("X.....x...", "X..x..x..."), SNARE: ("...x....x.", "....x.....x.."[:10]), RIDE: ("x.x.x.x.x.", "x.xx.xx.x.")},
          ("r..r..f.f.", "r.....f..."), ("x..x..x.x.", "X.....x..."), beats=5, steps=2, comp_programs=(0, 4, 27)),
    Style("seven-four", (100, 180), {KICK: ("X...x...x.....", "X.....x.x..x.."), SNARE: ("..x...x...x...", "..x...x...x.x."), HAT: ("x.x.x.x.x.x.x.",)},
          ("r...r...f...f.", "r..r..r.f.f.n."), ("x..x..x.x.x.x.", "X.......x....."), beats=7, steps=2, comp_programs=(0, 29, 4, 27)),
    Style("march", (100, 128), {KICK: ("X...X...X...X...", "X.......X......."), SNARE: ("x.oox.oox.ooxxxx", "X.xxX.xxX.xxX.X."), CRASH: (R16, "X.......X.......")},
          ("r...f...r...f...",), ("..x...x...x...x.",), comp_programs=(61, 60, 48), bass_programs=(58, 32)),
    Style("hip-hop", (72, 104), {KICK: ("X.....x...x.....", "X..x......xx....", "X.x.......x..x.."), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.", "x.xxx.x.x.xxx.x.")},
          ("r.........r.....", "r..r......f.....", R16), ("X...............", "x.....x.........", "....x.......x..."), comp_programs=(4, 0, 11, 48), bass_programs=(38, 33, 39), minor=0.8, lead=0.3),
    Style("r&b", (60, 100), {KICK: ("X.....xx..x.....", "X......x..x..x.."), CLAP: ("....X.......X...",), HAT: ("x.x.xxx.x.x.x.xx", "xxxxxxxxxxxxxxxx"), STICK: (R16, "..o....o..o.....")},
          ("r......r..r.....", "r.........f.n..."), ("X.......x.......", "x.....x....x...."), comp_programs=(4, 5, 0), bass_programs=(38, 39, 33), swing=0.12, pads=0.6),
    Style("reggaeton", (86, 102), {KICK: ("X...X...X...X...",), SNARE: ("...x..x....x..x.",), HAT: ("x.x.x.x.x.x.x.x.", R16)},
          ("r..r..r.r..r..r.", "r.......r......."), ("...x..x....x..x.", "X.......X......."), comp_programs=(81, 0, 24), bass_programs=(38, 39), minor=0.8),
    Style("afrobeat", (96, 124), {KICK: ("X..x..x.X..x..x.", "X.....x...x....."), SNARE: ("....x..o.x..x...",), SHAKER: ("xoxoxoxoxoxoxoxo",), COWBELL: ("x..x..x...x.x...",)},
          ("r..r....f..f..t.", "..r.r..f....n..."), ("..x..x....x..x..", ".x.x..x..x.x..x."), comp_programs=(27, 16, 4), short_comp=True),
    Style("half-time", (120, 170), {KICK: ("X.....x.........", "X..x..........x."), SNARE: ("........X.......",), HAT: ("x.x.x.x.x.x.x.x.", "x...x...x...x...")},
          ("r...............", "r.....r........."), ("X...............", "x...x...x...x..."), comp_programs=(29, 0, 81, 4), minor=0.7, pads=0.6),
    Style("new wave", (120, 160), {KICK: ("X...X...X...X...", "X.....x.X......."), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.",)},
          ("r.r.r.r.r.r.r.r.", "rrrrrrrrrrrrrrrr"), ("X.......X.......", "..x...x...x...x."), comp_programs=(81, 90, 27), bass_programs=(38, 39, 33), drift=0.0, pads=0.8),
    Style("chiptune", (110, 180), {KICK: ("X...x...X...x...", "X.....x.X......."), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.", "..x...x...x...x.")},
          ("r.o.r.o.r.o.r.o.", "r..r..r.r..r..r."), ("xxxxxxxxxxxxxxxx", "x.x.x.x.x.x.x.x."), comp_programs=(80, 81), bass_programs=(80, 38, 39), drift=0.0, lead=0.9),
    Style("folk", (76, 140), {SHAKER: (R16, "x.x.x.x.x.x.x.x."), KICK: (R16, "x.......x.......")},
          ("r.......f.......", R16), ("X.x.xxx.X.x.xxx.", "x...x.xxx...x.xx", "xxxxxxxxxxxxxxxx"), comp_programs=(24, 25, 105, 46), drift=0.014),
    Style("strings", (60, 130), {}, ("r.......f.......", "r...............", "r...r...f...f..."), ("X...............", "x...x...x...x...", "x.x.x.x.x.x.x.x."), comp_programs=(48, 49, 44, 45), bass_programs=(43, 42), drift=0.02, pads=0.7),
    Style("piano solo", (52, 120), {}, ("r.......f.......", "r...f...o...f..."), ("x.x.x.x.x.x.x.x.", "X.......x.......", "..x...x...x...x."), comp_programs=(0, 1, 4), bass_programs=(0,), drift=0.035, pads=0.0),
    Style("video march", (110, 160), {SNARE: ("x.xxx.xxx.xxx.xx", "x...x.x.x...x.x."), KICK: ("X.......X.......", "X...x...X...x...")},
          ("r.r.r.r.r.r.r.r.", "r..r..r.r..r..r."), ("X.......X.......", "x.xxx.xxx.xxx.xx"), comp_programs=(48, 61, 45), bass_programs=(43, 38), minor=0.8, pads=0.7),
)  # fmt: skip
LEADS = (80, 81, 65, 66, 56, 73, 11, 26, 27, 30, 40, 0, 4, 71, 68, 75, 12)
PADS = (48, 49, 50, 51, 89, 90, 91, 92, 94, 95, 16, 52, 53)


def compose_band(rng: np.random.Generator, seconds: float, scratch: Path) -> tuple[np.ndarray, Truth, Key]:
    """A song of about `seconds` in a random style: stereo [n, 2] float32, its truth and its key."""
    style = STYLES[rng.integers(len(STYLES))]
    tempo = float(np.exp(rng.uniform(*np.log(style.tempi))))
    beats_per_bar = style.beats
    key = draw_key(rng, style.minor)
    form = draw_form(rng, seconds, beats_per_bar * 60 / tempo)
    clock = Clock(rng, style, form, tempo, beats_per_bar)
    parts = Arrangement(rng, style, key, clock).play(form)
    truth = Truth("band", style.name, tempo, beats_per_bar, key.name)
    bars = sum(count for _, count in form)
    truth.beats = [clock.at(i) for i in range(bars * beats_per_bar)]
    truth.downbeats = truth.beats[::beats_per_bar]
    truth.tempo = float(60 / np.median(np.diff(truth.beats)))
    first = 0
    for label, count in form:
        truth.sections.append((clock.at(first * beats_per_bar), label))
        first += count
    add_note_truth(truth, parts)
    midi = scratch / "song.mid"
    write_midi(parts, midi)
    return render_midi(midi, str(rng.choice(list(SOUNDFONTS))), rng, scratch), truth, key


class Clock:
    """Beat number → seconds: a tempo that drifts, slows at phrase ends in free styles, and jumps in some songs."""

    def __init__(self, rng: np.random.Generator, style: Style, form: list[tuple[str, int]], tempo: float, beats: int):
        total = sum(count for _, count in form) * beats + beats + 1
        drift = style.drift * rng.choice([0, 0, 1, 1, 2])
        wander = np.cumsum(rng.normal(0, 1, total))
        wander -= np.linspace(wander[0], wander[-1], total)
        wander = wander / (wander.std() + 1e-9) * drift
        if style.drift >= 0.02 and rng.random() < 0.7:
            wander += rng.normal(0, 0.02, total)
            for bar in range(4, total // beats, int(rng.choice([4, 8]))):
                wander[bar * beats - beats : bar * beats] -= np.linspace(0.02, rng.uniform(0.05, 0.25), beats)
        tempi = tempo * np.exp(wander)
        if len(form) > 3 and rng.random() < 0.06:
            split = sum(count for _, count in form[: rng.integers(2, len(form) - 1)]) * beats
            tempi[split:] *= float(rng.choice([0.75, 0.8, 0.88, 1.12, 1.2, 1.3]))
        self.times = np.concatenate([[0.0], np.cumsum(60 / tempi)])

    def at(self, beat: float) -> float:
        """Seconds of a beat number, fractional ones between."""
        return float(np.interp(beat, np.arange(len(self.times)), self.times))


class Arrangement:
    """One band: chosen patterns and instruments per label, so that a chorus comes back as it was."""

    def __init__(self, rng: np.random.Generator, style: Style, key: Key, clock: Clock):
        self.rng, self.style, self.key, self.clock = rng, style, key, clock
        self.spread = float(rng.choice([0, 0.003, 0.006, 0.01]))
        self.push = {name: float(rng.normal(0, 0.005)) for name in ("drums", "bass", "comp", "lead", "pad")}
        self.drums = Part(int(rng.choice([0, 0, 8, 16, 24, 25, 32, 40])), is_drums=True, volume=int(rng.integers(70, 127)))
        self.bass = Part(int(rng.choice(style.bass_programs)), volume=int(rng.integers(70, 127)))
        self.comp = Part(int(rng.choice(style.comp_programs)), pan=int(rng.integers(20, 108)), volume=int(rng.integers(60, 115)))
        self.lead = Part(int(rng.choice(LEADS)), pan=int(rng.integers(40, 88)), volume=int(rng.integers(70, 120)))
        self.pad = Part(int(rng.choice(PADS)), volume=int(rng.integers(40, 100)))
        self.has_lead = rng.random() < style.lead
        self.has_pad = rng.random() < style.pads
        self.has_drums = bool(style.drums) and rng.random() < 0.95
        self.hat_level = rng.uniform(0.5, 1.3)

    def play(self, form: list[tuple[str, int]]) -> list[Part]:
        """All parts of the song; parts without a note are left out."""
        scores: dict[str, Score] = {}
        first = 0
        for i, (label, bars) in enumerate(form):
            score = scores.setdefault(label, Score(self.rng, self, label))
            # The same section sounds a little different each time it comes.
            self.play_section(score, first, bars, has_fill=i + 1 < len(form) and self.rng.random() < 0.7)
            first += bars
        return [p for p in (self.drums, self.bass, self.comp, self.lead, self.pad) if p.notes]

    def play_section(self, score: Score, first: int, bars: int, has_fill: bool) -> None:
        beats = self.style.beats
        for bar in range(bars):
            start = (first + bar) * beats
            chord = self.key.chord(score.progression[bar % len(score.progression)], 4 if score.has_sevenths else 3)
            following = self.key.chord(score.progression[(bar + 1) % len(score.progression)])
            if score.plays_drums and not (score.enters_late and bar < bars // 2):
                if has_fill and bar == bars - 1:
                    self.play_fill(start, beats)
                else:
                    self.play_drums(score, start, bar)
                if bar == 0 and self.rng.random() < 0.5:
                    self.strike(self.drums, "drums", start, 1, CRASH, 100)
            if score.plays_bass:
                self.play_bass(score, start, bar, chord, following)
            if score.plays_comp:
                self.play_comp(score, start, bar, chord)
            if score.plays_pad:
                for pitch in voiced(chord, 55):
                    self.strike(self.pad, "pad", start, beats * 0.98, pitch, 70)
            if score.plays_lead and bar % 4 != 3:
                self.play_lead(score, start, beats, chord)

    def step(self, start: float, index: int) -> float:
        """Beat number of a step, swung."""
        style = self.style
        late = style.swing if index % 2 == 1 and style.steps == 4 else 0
        return start + (index + late) / style.steps

    def window(self, pattern: str, bar: int) -> str:
        """The stretch of a pattern that this bar plays."""
        length = self.style.beats * self.style.steps
        pattern = pattern.ljust(length, ".")
        count = max(1, len(pattern) // length)
        return pattern[(bar % count) * length : (bar % count + 1) * length]

    def play_drums(self, score: Score, start: float, bar: int) -> None:
        for drum, pattern in score.drums.items():
            for i, stroke in enumerate(self.window(pattern, bar)):
                if stroke == "." or self.rng.random() < 0.02:
                    continue
                velocity = {"X": 112, "x": 88, "o": 48}[stroke]
                if drum in (HAT, OPEN, RIDE, SHAKER, PEDAL):
                    velocity = int(velocity * self.hat_level * (1 if i % self.style.steps == 0 else score.weak_hats))
                self.strike(self.drums, "drums", self.step(start, i), 0.2, drum, velocity)

    def play_fill(self, start: float, beats: int) -> None:
        """The last bar of a section: the groove's first half, then toms or snares."""
        length = int(self.rng.choice([1, 2, beats]))
        density = int(self.rng.choice([2, 4])) if self.style.steps != 3 else 3
        for beat in range(beats - length):
            self.strike(self.drums, "drums", start + beat, 0.2, KICK if beat % 2 == 0 else SNARE, 95)
        drums = [SNARE] * 4 if self.rng.random() < 0.4 else list(TOMS)
        for i in range(length * density):
            if self.rng.random() < 0.85:
                drum = drums[min(len(drums) - 1, i * len(drums) // (length * density))]
                self.strike(self.drums, "drums", start + beats - length + i / density, 0.2, drum, int(self.rng.integers(70, 118)))

    def play_bass(self, score: Score, start: float, bar: int, chord: list[int], following: list[int]) -> None:
        steps = self.window(score.bass, bar)
        strokes = [i for i, s in enumerate(steps) if s != "."]
        for i, end in zip(strokes, [*strokes[1:], len(steps)], strict=False):
            tone = {"r": chord[0], "o": chord[0] + 12, "t": chord[1], "f": chord[2], "n": following[0]}[steps[i]]
            pitch = 28 + (tone - 28) % 12 + (12 if steps[i] == "o" else 0)
            length = (end - i) / self.style.steps * score.bass_length
            self.strike(self.bass, "bass", self.step(start, i), length, pitch, int(self.rng.integers(80, 115)))

    def play_comp(self, score: Score, start: float, bar: int, chord: list[int]) -> None:
        steps = self.window(score.comp, bar)
        strokes = [i for i, s in enumerate(steps) if s != "."]
        pitches = voiced(chord, score.comp_lowest)
        for n, (i, end) in enumerate(zip(strokes, [*strokes[1:], len(steps)], strict=False)):
            length = 0.3 / self.style.steps * 2 if self.style.short_comp else (end - i) / self.style.steps * 0.95
            velocity = {"X": 100, "x": 84, "o": 60}[steps[i]]
            sounding = [pitches[n % len(pitches)]] if score.is_broken else pitches
            for pitch in sounding:
                self.strike(self.comp, "comp", self.step(start, i), length, pitch, velocity)

    def play_lead(self, score: Score, start: float, beats: int, chord: list[int]) -> None:
        at = float(self.rng.choice([0, 0, 0.5, 1]))
        pitch = 72 + (chord[self.rng.integers(len(chord))] - 72) % 12
        scale = [(self.key.tonic + s) % 12 for s in self.key.steps]
        while at < beats:
            length = float(self.rng.choice(score.lead_lengths))
            if self.rng.random() < 0.85:
                self.strike(self.lead, "lead", start + at, length * 0.9, pitch, int(self.rng.integers(75, 112)))
            pitch += int(self.rng.choice([-4, -3, -2, -1, 1, 2, 3, 4]))
            while pitch % 12 not in scale:
                pitch += 1
            pitch = int(np.clip(pitch, 60, 88))
            at += length

    def strike(self, part: Part, player: str, beat: float, beats: float, pitch: int, velocity: int) -> None:
        start = self.clock.at(beat)
        late = self.push[player] + float(self.rng.normal(0, self.spread)) if self.spread else 0.0
        loud = velocity + int(self.rng.normal(0, 5))
        part.notes.append(Note(max(0.0, start + late), max(0.03, self.clock.at(beat + beats) - start), pitch, loud))


class Score:
    """What a section plays: drawn once per label."""

    def __init__(self, rng: np.random.Generator, band: Arrangement, label: str):
        style = band.style
        draw = lambda patterns: patterns[rng.integers(len(patterns))]  # noqa: E731
        self.progression = draw_progression(rng, band.key)
        self.drums = {drum: draw(patterns) for drum, patterns in style.drums.items()}
        self.bass, self.comp = draw(style.bass), draw(style.comp)
        self.bass_length = float(rng.choice([0.5, 0.8, 0.95]))
        self.comp_lowest = int(rng.integers(48, 64))
        self.is_broken = not style.short_comp and rng.random() < (0.6 if style.name in ("ballad", "folk", "chiptune") else 0.2)
        self.has_sevenths = rng.random() < 0.25
        self.weak_hats = float(rng.choice([0.6, 0.8, 1.0, 1.25]))
        self.lead_lengths = [(0.5, 0.5, 1, 1.5), (1, 1, 2), (0.25, 0.5, 0.5, 0.75), (0.75, 0.75, 0.5)][rng.integers(4)]
        bare = {"intro": 0.5, "outro": 0.5, "break": 0.8, "bridge": 0.3, "verse": 0.12}.get(label, 0.0)
        self.plays_drums = band.has_drums and rng.random() >= bare
        self.plays_bass = rng.random() >= bare * 0.8
        self.plays_comp = rng.random() < (0.9 if self.plays_drums or self.plays_bass else 1.0)
        self.plays_pad = band.has_pad and (label in ("chorus", "break", "bridge") or rng.random() < 0.4)
        self.plays_lead = band.has_lead and rng.random() < {"chorus": 0.8, "verse": 0.5, "intro": 0.4}.get(label, 0.4)
        self.enters_late = label == "intro" and rng.random() < 0.4
        if not (self.plays_drums or self.plays_bass or self.plays_comp):
            self.plays_comp = True

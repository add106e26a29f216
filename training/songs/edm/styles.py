"""What genres of electronic music fix: grooves, bass lines, chord rhythms, tempos."""

from __future__ import annotations

from dataclasses import dataclass

SILENT = "." * 16

#: Patterns are bars of sixteenths: x loud, o medium, - soft, . silent. Each groove lists alternatives per drum.
GROOVES: dict[str, dict[str, tuple[str, ...]]] = {
    "four": {
        "kick": ("x...x...x...x...",),
        "snare": ("....x.......x...", "....x.......x...", "....x.......x..-", "....x..-.-..x..."),
        "closed": ("x.x.x.x.x.x.x.x.", "x-o-x-o-x-o-x-o-", "--x---x---x---x-", "................", "-.x.-.x.-.x.-.x-"),
        "open": ("..x...x...x...x.", "..x...x...x...x.", "..x...x...x...x.", "................", "......x.......x."),
        "perc": ("................", "...x..x....x..x.", "x..x..x.x..x..x.", "...x......x..x..", ".x....x..x....x."),
    },
    "straight": {
        "kick": ("x.......x.......", "x.......x.x.....", "x.....x.x.......", "x...x...x...x..."),
        "snare": ("....x.......x...", "....x.......x..."),
        "closed": ("x.x.x.x.x.x.x.x.", "x-o-x-o-x-o-x-o-", "x...x...x...x..."),
        "open": ("................", "..............x.", "..x...x...x...x."),
        "perc": ("................", "......x.....x.x."),
    },
    "breakbeat": {
        "kick": ("x.x.......x.....", "x..x..x...x.....", "x.........xx....", "x......x..x....."),
        "snare": ("....x.......x...", "....x..-.-..x...", "....x..o....x..o"),
        "closed": ("x.x.x.x.x.x.x.x.", "x.xox.x.x.xox.x.", "xoxoxoxoxoxoxoxo"),
        "open": ("................", "..............x.", "......x........."),
        "perc": ("................", "...-..-....-..-."),
    },
    "drumnbass": {
        "kick": ("x.........x.....", "x.........x.....", "x.x.......x.....", "x.....x...x....."),
        "snare": ("....x.......x...", "....x.......x...", "....x..-.-..x..-"),
        "closed": ("x.x.x.x.x.x.x.x.", "x-x-x-x-x-x-x-x-", "x.xx.xx.x.xx.xx."),
        "open": ("................", "..x...x...x...x.", "......x.......x."),
        "perc": ("................", ".-.-.-.-.-.-.-.-"),
    },
    "jungle": {
        "kick": ("x.x.......xx....", "x.x.......x.....", "x.x....x..xx...."),
        "snare": ("....x..o.o..x..o", "....x..o.o....x.", "..o.x..x.o..x.ox"),
        "closed": ("x.x.x.x.x.x.x.x.", "xxx.xxx.xxx.xxx."),
        "open": ("................", "..........x....."),
        "perc": ("................", "..x...x...x...x."),
    },
    "twostep": {
        "kick": ("x.........x.....", "x.....x...x.....", "x.........x..x..", "x..x......x....."),
        "snare": ("....x.......x...", "....x.......x..o", "....x..-....x..."),
        "closed": ("x.xx..x.x.xx..xx", "..x-..xo..x-..xo", "x-xxx-xxx-xxx-xx"),
        "open": ("................", "..x...x...x...x.", "......x........."),
        "perc": ("................", "...x..x....x..x.", ".......o..o....o"),
    },
    "halfstep": {
        "kick": ("x.........x.....", "x...............", "x.....x.......x.", "x..x......x....."),
        "snare": ("........x.......", "........x.......", "........x......-"),
        "closed": ("x...x...x...x...", "x.x.x.x.x.x.x.x.", "x..x..x.x..x..x."),
        "open": ("................", "............x..."),
        "perc": ("................", "...x..x......x.."),
    },
    "trap": {
        "kick": ("x.....x...x.....", "x..x......x..x..", "x......x..x.....", "x.......x.x....."),
        "snare": ("....x.......x...", "....x.......x...", "....x.......x.o."),
        "closed": ("xxxxxxxxxxxxxxxx", "x.x.x.x.x.x.x.x.", "x-x-x-x-x-x-x-x-"),
        "open": ("................", "......x.........", "..............x."),
        "perc": ("................", "...o.....o....o."),
    },
    "dembow": {
        "kick": ("x...x...x...x...", "x.......x......."),
        "snare": ("...x..x....x..x.", "...x..x....x..x.", "...o..x....o..x."),
        "closed": ("x.x.x.x.x.x.x.x.", "................", "..x...x...x...x."),
        "open": ("................", "..............x."),
        "perc": ("................", "x..x..x.x..x..x."),
    },
    "boombap": {
        "kick": ("x......x..x.....", "x.x.......x..x..", "x.....x...x.....", "x..x....-.x....."),
        "snare": ("....x.......x...", "....x..-....x..-", "....x.......x..."),
        "closed": ("x.x.x.x.x.x.x.x.", "x.xox.x.x.x.x.xo", "x-x-x-x-x-x-x-x-"),
        "open": ("................", "......x.........", "..............x."),
        "perc": ("................", "..........o....."),
    },
    "soft": {
        "kick": ("x...............", "x.........x.....", "x...x...x...x..."),
        "snare": ("................", "........x.......", "....-.......-..."),
        "closed": ("................", "-...-...-...-...", "..-...-...-...-."),
        "open": ("................",),
        "perc": ("................", "...-..-.....-...", "......o.......o."),
    },
}

#: Bass bars of sixteenths: x root, o its octave, f the fifth.
BASSLINES: dict[str, tuple[str, ...]] = {
    "offbeat": ("..x...x...x...x.",),
    "rolling": (".xxx.xxx.xxx.xxx", ".xx..xx..xx..xx.", "..xx..xx..xx..xx"),
    "eighths": ("x.x.x.x.x.x.x.x.",),
    "octaves": ("x.o.x.o.x.o.x.o.", "x..ox..ox..ox..o"),
    "sixteenths": ("xxxxxxxxxxxxxxxx", "xxxoxxxoxxxoxxxo"),
    "long": ("x...............", "x.............x.", "x.......x......."),
    "tresillo": ("x..x..x.x..x..x.", "x..x..x.........", "x..x..x..x..x.x."),
    "funky": ("x..x..o...x.x.o.", "x.....x..xo...x.", "x.x...o..x..x.f.", "..x..xx...x.o.x."),
    "808": ("x.........x.....", "x.....x...x..x..", "x..........x....", "x......x........"),
    "acid": ("x.xo.xx.o.x.xfx.", "xx.xo.x.xx.o.xf.", "x..xo..xx.ox.x.o", "xoxx.xofx.xx.oxx"),
    "walking": ("x...f...o...f...", "x.....f.x...f.x."),
    "syncopated": ("x..x...x..x...x.", "...x..x....x..x.", "x.....x.....x..."),
}

#: Chord bars of sixteenths for stabs, keys and plucks; "threes" is written over the bar line instead.
STABS: tuple[str, ...] = (
    "..x...x...x...x.",
    "..x...x...x...x.",
    "x..x..x...x..x..",
    "x..x..x.x..x..x.",
    "x.....x.........",
    "...x.....x....x.",
    "x..x..x..x..x...",
    "..x..x..x..x..x.",
    "......x.......x.",
    "x.......x..x....",
    ".......x......x.",
    "threes",
    "threes",
)
#: Chord bars of songs, where keys keep more of the beat.
COMPING: tuple[str, ...] = (
    "x.......x.......",
    "x...x...x...x...",
    "x.....x...x.....",
    "x..x..x.x..x..x.",
    "x.x.x.x.x.x.x.x.",
    "..x...x...x...x.",
    "x......x........",
)


@dataclass(frozen=True)
class Style:
    """What a genre fixes; everything else is drawn per song."""

    tempo: tuple[float, float]
    """Range of the tempo a listener taps, BPM."""
    groove: str
    bass: tuple[str, ...]
    kicks: tuple[str, ...]
    form: str = "club"
    snares: tuple[str, ...] = ("clap", "snare", "layered", "noise")
    backbeat: float = 0.9
    """How often the style has a snare or clap at all."""
    swing: tuple[float, float] = (0.0, 0.0)
    """Delay of the odd sixteenths, in sixteenths; 1/3 is triplet swing."""
    looseness: float = 0.0
    """Spread of the drums about the grid, seconds."""
    sevenths: float = 0.2
    static: float = 0.1
    """How often one chord lasts for the whole song."""
    minor: float = 0.75


STYLES: dict[str, Style] = {
    "house": Style((118, 128), "four", ("offbeat", "funky", "syncopated", "eighths"), ("punchy", "clicky"), swing=(0, 0.25), sevenths=0.5),
    "deep house": Style((116, 125), "four", ("funky", "syncopated", "offbeat", "long"), ("soft", "punchy"), swing=(0, 0.3), sevenths=0.9, backbeat=0.7),
    "tech house": Style((122, 130), "four", ("funky", "rolling", "syncopated", "acid"), ("punchy", "clicky"), swing=(0, 0.25), static=0.5, backbeat=0.7),
    "french house": Style((112, 128), "four", ("octaves", "funky", "eighths"), ("punchy",), swing=(0, 0.2), sevenths=0.8, minor=0.6),
    "techno": Style((124, 150), "four", ("rolling", "sixteenths", "offbeat", "long", "acid"), ("hard", "boomy", "punchy"), static=0.6, backbeat=0.4),
    "trance": Style((130, 142), "four", ("offbeat", "rolling", "eighths"), ("punchy", "clicky"), backbeat=0.6),
    "progressive": Style((118, 128), "four", ("offbeat", "long", "eighths", "syncopated"), ("punchy", "soft"), backbeat=0.6),
    "electro": Style((120, 134), "four", ("funky", "syncopated", "sixteenths", "acid"), ("punchy", "hard")),
    "big room": Style((125, 132), "four", ("long", "offbeat", "eighths"), ("hard", "punchy"), backbeat=0.6),
    "hardstyle": Style((145, 162), "four", ("offbeat", "long"), ("hard",), backbeat=0.4),
    "psytrance": Style((136, 149), "four", ("rolling", "rolling", "acid"), ("clicky", "punchy"), static=0.6, backbeat=0.5),
    "eurodance": Style((126, 152), "four", ("offbeat", "octaves", "eighths"), ("punchy", "clicky"), form="either", sevenths=0.0),
    "disco": Style((108, 126), "four", ("octaves", "funky", "eighths"), ("punchy", "soft"), form="song", sevenths=0.6, minor=0.5, looseness=0.002),
    "dubstep": Style((136, 145), "halfstep", ("long", "syncopated", "tresillo"), ("punchy", "hard"), static=0.3),
    "trap": Style((64, 81), "trap", ("808",), ("boomy", "punchy"), form="either", backbeat=1.0),
    "drum & bass": Style((164, 179), "drumnbass", ("long", "syncopated", "eighths", "tresillo"), ("punchy", "clicky"), backbeat=1.0),
    "liquid drum & bass": Style((168, 178), "drumnbass", ("long", "funky", "syncopated"), ("punchy", "soft"), sevenths=0.8, backbeat=1.0, looseness=0.002),
    "jungle": Style((155, 172), "jungle", ("long", "808", "syncopated"), ("punchy", "soft"), backbeat=1.0, looseness=0.003),
    "breakbeat": Style((122, 142), "breakbeat", ("syncopated", "funky", "tresillo", "eighths"), ("punchy", "clicky"), backbeat=1.0),
    "uk garage": Style((126, 137), "twostep", ("syncopated", "funky", "long"), ("punchy", "soft"), swing=(0.12, 0.34), sevenths=0.7, backbeat=1.0, snares=("clap", "rim", "layered", "snare")),
    "future bass": Style((69, 81), "trap", ("long", "808"), ("punchy", "boomy"), sevenths=0.7, minor=0.5, backbeat=1.0),
    "synthwave": Style((80, 118), "straight", ("eighths", "sixteenths", "octaves"), ("punchy", "boomy"), form="song", snares=("snare", "noise", "layered")),
    "synth pop": Style((98, 129), "straight", ("eighths", "octaves", "syncopated", "walking"), ("punchy", "soft"), form="song", minor=0.5),
    "lo-fi": Style((68, 92), "boombap", ("long", "walking", "808", "funky"), ("soft", "boomy"), form="song", swing=(0.1, 0.34), looseness=0.006, sevenths=1.0, minor=0.5, snares=("snare", "rim", "layered")),
    "boom bap": Style((80, 99), "boombap", ("long", "funky", "808", "syncopated"), ("punchy", "boomy"), form="song", swing=(0.05, 0.34), looseness=0.004, sevenths=0.6, static=0.3, snares=("snare", "layered", "clap")),
    "reggaeton": Style((86, 112), "dembow", ("tresillo", "long", "808"), ("punchy", "boomy"), form="either", snares=("snare", "rim", "layered"), backbeat=1.0),
    "downtempo": Style((70, 118), "soft", ("long", "walking"), ("soft", "boomy"), form="either", sevenths=0.7, minor=0.6, static=0.2),
}

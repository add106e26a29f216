"""
Learns to name sections: `python3 -m training.forms.train PORTRAITS.json --note "…"`.

A linear chain (J. Lafferty et al., "Conditional random fields", ICML 2001): each section speaks for its labels by its
portrait, each pair of neighbours by what tends to follow what, and all labels of a song are weighed together. Judged with
whole styles left out: a fifth of the styles by what the others teach.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..weights_module import write_module

MODULE = Path(__file__).parents[2] / "packages/analysis/src/form/label-weights.ts"
FOLDS = 5
#: Chains are added up in their logarithms: the mean of several fits is one, and hangs less on which features were missing.
SEEDS = 4
#: How often a song counts that is cut as the product cuts it, finer, or where its sections truly are.
CUT_WEIGHT = {"product": 1.0, "fine": 0.5, "true": 0.5}


@dataclass
class Batch:
    """Songs side by side, padded to the longest."""

    x: np.ndarray
    """[songs, sections, features]"""
    q: np.ndarray
    """Share of each label in each section [songs, sections, labels]."""
    seconds: np.ndarray
    """[songs, sections, labels]"""
    mask: np.ndarray
    weight: np.ndarray


def batch_of(songs: list[dict], mean: np.ndarray, spread: np.ndarray) -> Batch:
    longest = max(len(s["portraits"]) for s in songs)
    n, features, labels = len(songs), len(mean), len(songs[0]["labels"][0])
    batch = Batch(
        np.zeros((n, longest, features)),
        np.zeros((n, longest, labels)),
        np.zeros((n, longest, labels)),
        np.zeros((n, longest), bool),
        np.array([CUT_WEIGHT[s["cut"]] for s in songs]),
    )
    for i, song in enumerate(songs):
        count = len(song["portraits"])
        batch.x[i, :count] = np.clip((np.array(song["portraits"]) - mean) / spread, -4, 4)
        seconds = np.array(song["labels"])
        batch.seconds[i, :count] = seconds
        batch.q[i, :count] = (seconds + 1e-9) / (seconds + 1e-9).sum(1, keepdims=True)
        batch.mask[i, :count] = True
    return batch


def no_weights(features: int, labels: int) -> dict[str, np.ndarray]:
    return {
        "says": np.zeros((features, labels)),
        "bias": np.zeros(labels),
        "follow": np.zeros((labels, labels)),
        "begin": np.zeros(labels),
        "end": np.zeros(labels),
    }


def logsumexp(a: np.ndarray, axis: int) -> np.ndarray:
    top = a.max(axis=axis, keepdims=True)
    return (top + np.log(np.exp(a - top).sum(axis=axis, keepdims=True))).squeeze(axis)


def scores_of(w: dict, x: np.ndarray) -> np.ndarray:
    return x @ w["says"] + w["bias"]


def chain(w: dict, scores: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Log normaliser per song, marginals [n, t, l] and pair marginals summed over the song [n, l, l]."""
    n, t, labels = scores.shape
    lengths = mask.sum(1)
    forward = np.zeros_like(scores)
    backward = np.zeros_like(scores)
    forward[:, 0] = w["begin"] + scores[:, 0]
    for i in range(1, t):
        step = logsumexp(forward[:, i - 1, :, None] + w["follow"][None], 1) + scores[:, i]
        forward[:, i] = np.where(mask[:, i, None], step, forward[:, i - 1])
    backward[:, t - 1] = w["end"]
    for i in range(t - 2, -1, -1):
        step = logsumexp(w["follow"][None] + (scores[:, i + 1] + backward[:, i + 1])[:, None, :], 2)
        backward[:, i] = np.where((i == lengths - 1)[:, None], w["end"], step)
    total = logsumexp(forward[:, t - 1] + w["end"], 1)
    marginal = np.exp(forward + backward - total[:, None, None]) * mask[:, :, None]
    pairs = np.zeros((n, labels, labels))
    for i in range(1, t):
        pair = np.exp(
            forward[:, i - 1, :, None] + w["follow"][None] + (scores[:, i] + backward[:, i])[:, None, :] - total[:, None, None]
        )
        pairs += pair * mask[:, i, None, None]
    return total, marginal, pairs


def gradients(w: dict, b: Batch, x: np.ndarray, shrink: float) -> dict:
    scores = scores_of(w, x)
    _, marginal, pairs = chain(w, scores, b.mask)
    lengths = b.mask.sum(1)
    true_pairs = np.einsum("nti,ntj,nt->nij", b.q[:, :-1], b.q[:, 1:], b.mask[:, 1:].astype(float))
    rows = np.arange(len(lengths))
    weight = b.weight / b.weight.sum()
    d = (marginal - b.q * b.mask[:, :, None]) * weight[:, None, None]
    g = {
        "says": np.einsum("ntf,ntl->fl", x, d),
        "bias": d.sum((0, 1)),
        "follow": ((pairs - true_pairs) * weight[:, None, None]).sum(0),
        "begin": ((marginal[:, 0] - b.q[:, 0]) * weight[:, None]).sum(0),
        "end": ((marginal[rows, lengths - 1] - b.q[rows, lengths - 1]) * weight[:, None]).sum(0),
    }
    for name in ("says", "follow", "begin", "end"):
        g[name] = g[name] + shrink * w[name]
    return g


def fit(songs: list[dict], mean, spread, seed: int, options) -> dict:
    rng = np.random.default_rng(seed)
    b = batch_of(songs, mean, spread)
    w = no_weights(len(mean), b.q.shape[2])
    first = {k: np.zeros_like(v) for k, v in w.items()}
    second = {k: np.zeros_like(v) for k, v in w.items()}
    for step in range(1, options.steps + 1):
        # Features that are now and then missing must not be leaned on alone.
        keep = (rng.random((len(b.x), 1, b.x.shape[2])) > options.drop) / (1 - options.drop)
        noisy = b.x * keep + rng.normal(0, options.noise, b.x.shape)
        g = gradients(w, b, noisy, options.shrink)
        rate = options.rate * 0.5 * (1 + np.cos(np.pi * step / options.steps))
        for k in w:
            first[k] = 0.9 * first[k] + 0.1 * g[k]
            second[k] = 0.99 * second[k] + 0.01 * g[k] ** 2
            w[k] = w[k] - rate * (first[k] / (1 - 0.9**step)) / (np.sqrt(second[k] / (1 - 0.99**step)) + 1e-8)
    return w


def viterbi(w: dict, scores: np.ndarray) -> list[int]:
    best = w["begin"] + scores[0]
    back = []
    for row in scores[1:]:
        options = best[:, None] + w["follow"]
        back.append(options.argmax(0))
        best = options.max(0) + row
    path = [int((best + w["end"]).argmax())]
    for row in reversed(back):
        path.append(int(row[path[-1]]))
    return path[::-1]


def starts_of(is_drop: np.ndarray) -> set[int]:
    return {i for i in range(1, len(is_drop)) if is_drop[i] and not is_drop[i - 1]}


def tell(w: dict, scores: np.ndarray, left_out: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Labels of one song and the probability of each, as the product has them (read-labels.ts)."""
    totals, odds, ways = [], [], []
    for label in left_out:
        masked = scores.copy()
        masked[:, label] = -1e6
        total, marginal, _ = chain(w, masked[None], np.ones((1, len(scores)), bool))
        totals.append(total[0])
        odds.append(marginal[0])
        ways.append(np.array(viterbi(w, masked)))
    shares = np.exp(np.array(totals) - logsumexp(np.array(totals), 0))
    mixed = np.tensordot(shares, np.array(odds), 1)
    return ways[int(shares.argmax())], mixed


def judge(w: dict, songs: list[dict], mean, spread, labels: list[str]) -> list[tuple]:
    """Style, share of time right, claims (probability, right) and drops (hits, ours, true) of each song."""
    b = batch_of(songs, mean, spread)
    scores = scores_of(w, b.x)
    drop = labels.index("drop")
    out = []
    for i, song in enumerate(songs):
        seconds = np.array(song["labels"])
        rows = np.arange(len(seconds))
        way, odds = tell(w, scores[i, : len(seconds)], [labels.index("chorus"), drop])
        claims = np.stack([odds[rows, way], way == seconds.argmax(1)], 1)
        ours, theirs = (starts_of(row == drop) for row in (way, seconds.argmax(1)))
        right = seconds[rows, way].sum() / seconds.sum()
        out.append((song["style"], right, claims, (len(ours & theirs), len(ours), len(theirs))))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("portraits", type=Path)
    parser.add_argument("--note", help="write the product's weights, with what they were learned from")
    parser.add_argument("--judge", type=Path, nargs="*", default=[], help="portraits of songs that are only judged")
    parser.add_argument("--shrink", type=float, default=0.05)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rate", type=float, default=0.03)
    parser.add_argument("--noise", type=float, default=0.3)
    parser.add_argument("--drop", type=float, default=0.15)
    parser.add_argument("--without", nargs="*", default=[], help="features that are left out")
    parser.add_argument("--folds", type=int, default=FOLDS)
    options = parser.parse_args()
    data = json.loads(options.portraits.read_text())
    songs = data["songs"]
    names = data["features"]
    left_out = [i for i, name in enumerate(names) if any(name.startswith(o) for o in options.without)]
    for song in songs:
        for row in song["portraits"]:
            for i in left_out:
                row[i] = 0.0
    rows = np.array([row for s in songs for row in s["portraits"]])
    mean, spread = rows.mean(0), np.maximum(rows.std(0), 0.02)
    styles = sorted({s["style"] for s in songs})
    fold_of = {style: i % options.folds for i, style in enumerate(np.random.default_rng(1).permutation(styles))}
    if options.folds > 1:
        results = []
        for fold in range(options.folds):
            w = fit([s for s in songs if fold_of[s["style"]] != fold], mean, spread, fold, options)
            results += judge(w, [s for s in songs if fold_of[s["style"]] == fold and s["cut"] == "product"], mean, spread, data["labels"])
        for kind in ("", "edm", "arranged"):
            own = [r for r in results if r[0].startswith(kind)]
            if own:
                print(f"styles left out {kind}: labels {np.mean([r[1] for r in own]):.3f} of {len(own)} songs")
        hits, said, true = (sum(r[3][i] for r in results) for i in range(3))
        print(f"  drops: F {2 * hits / max(1, said + true):.3f}, {hits} of {true} found, {said - hits} false")
        claims = np.concatenate([r[2] for r in results])
        for low, high in ((0, 0.4), (0.4, 0.6), (0.6, 0.75), (0.75, 0.9), (0.9, 0.97), (0.97, 1.01)):
            own = claims[(claims[:, 0] >= low) & (claims[:, 0] < high)]
            if len(own):
                print(f"  said {own[:, 0].mean():.2f} held {own[:, 1].mean():.2f} ({len(own)})")
    fits = [fit(songs, mean, spread, seed, options) for seed in range(SEEDS)]
    w = {name: np.mean([f[name] for f in fits], axis=0) for name in fits[0]}
    for path in options.judge:
        results = judge(w, json.loads(path.read_text())["songs"], mean, spread, data["labels"])
        print(f"{path.name}: labels {np.mean([r[1] for r in results]):.3f} of {len(results)} songs")
    if options.note:
        arrays = [mean, spread, w["says"], w["bias"], w["follow"], w["begin"], w["end"]]
        manifest = {"note": options.note, "labels": data["labels"], "features": names}
        write_module(MODULE, arrays, manifest, "training/forms/train.py", "training/README.md")


if __name__ == "__main__":
    main()

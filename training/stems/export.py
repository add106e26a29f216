"""
Write the trained mask network into the product: `python3 -m training.stems.export stems.pt --note "…"`.

As training/export.py does for the other network: half floats in base64 with their SHA-256, and a regression file.
"""

from __future__ import annotations

import argparse
import copy
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

from ..export import folded
from ..weights_module import write_module
from .network import BANDS, CHANNELS, DILATIONS, LOCAL_DILATIONS, POOL, REACH, STEMS, TRUNK, WIDTH, MaskNetwork

HERE = Path(__file__).parent
PRODUCT = HERE.parent.parent / "packages/analysis/src/network"
REGRESSION_HOPS = 120


def rounded(network: MaskNetwork) -> MaskNetwork:
    """The network as the product will have it: normalisation folded into the convolution before it, half floats."""
    network = copy.deepcopy(network).eval()
    for convolve, norm in (
        *zip(network.local, network.local_norm),
        (network.gather, network.gather_norm),
        *zip(network.dilated, network.dilated_norm),
    ):
        weight, bias = folded(convolve, norm)
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        convolve.bias.copy_(convolve.bias * scale + torch.from_numpy(bias))
        convolve.weight.copy_(torch.from_numpy(weight))
    network.local_norm = nn.ModuleList([nn.Identity() for _ in network.local])
    network.gather_norm = nn.Identity()
    network.dilated_norm = nn.ModuleList([nn.Identity() for _ in network.dilated])
    # A bias per band swallows the one per channel.
    network.band_bias += network.local[0].bias[:, None, None]
    network.local[0].bias.zero_()
    network.output_bias += network.output.bias[:, None, None]
    network.output.bias.zero_()
    for values in network.state_dict().values():
        values.copy_(values.half())
    return network


def arrays_of(network: MaskNetwork) -> list[torch.Tensor]:
    """Every array of a rounded network in the order in which the product reads them."""
    first, *others = network.local
    arrays = [network.mean, network.deviation, first.weight, network.band_bias]
    for convolve in others:
        arrays += [convolve.weight, convolve.bias]
    arrays += [network.gather.weight, network.gather.bias]
    for convolve, merge in zip(network.dilated, network.merge):
        arrays += [convolve.weight.transpose(1, 2), convolve.bias, merge.weight, merge.bias]
    arrays += [network.spread.weight, network.spread.bias]
    return [*arrays, network.output.weight, network.output_bias]


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", type=Path)
    parser.add_argument("--note", required=True, help="what it was trained on, for the module's head")
    options = parser.parse_args()
    network = MaskNetwork(torch.zeros(CHANNELS, 1, BANDS), torch.ones(CHANNELS, 1, BANDS))
    network.load_state_dict(torch.load(options.network))
    network = rounded(network)
    manifest = {
        "note": options.note,
        "stems": list(STEMS),
        "width": WIDTH,
        "trunk": TRUNK,
        "pool": POOL,
        "localDilations": list(LOCAL_DILATIONS),
        "dilations": list(DILATIONS),
    }
    arrays = [array.numpy() for array in arrays_of(network)]
    module = PRODUCT / "stem-weights.ts"
    write_module(module, arrays, manifest, written_by="training/stems/export.py", card="training/README.md")
    masks = network(regression_input())[0, :, :, : REGRESSION_HOPS - REACH]
    kept = masks[..., ::20, ::7].permute(2, 0, 1, 3)
    (HERE / "regression.json").write_text(
        json.dumps([[round(float(v), 5) for v in hop.flatten()] for hop in kept]) + "\n"
    )


def regression_input() -> torch.Tensor:
    """A made-up spectrum that the test makes in the same way: [1, CHANNELS, REGRESSION_HOPS, BANDS]."""
    channel, hop, band = np.meshgrid(np.arange(CHANNELS), np.arange(REGRESSION_HOPS), np.arange(BANDS), indexing="ij")
    level = np.where(hop % 20 < 2, 7.0, 4.0) + np.sin(hop * band / 97)
    share = 0.3 + 0.2 * np.sin(hop * channel / 13 + band / 7)
    return torch.from_numpy(np.where(channel == 0, level, share).astype(np.float32))[None]


if __name__ == "__main__":
    main()

"""
The mask network: which stem takes how much of each component of each band, hop by hop.

A few small convolutions over bands × hops see the fine structure; a dilated trunk over a coarse summary of all bands sees
the rest of the spectrum and a second to either side. For each component of a bin (see packages/analysis/src/stems/stem-input.ts)
a softmax shares it among the stems, so that the stems always add up to the mix.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

BANDS = 64
CHANNELS = 4
COMPONENTS = 4
STEMS = ("drums", "bass", "vocals", "other")

WIDTH = 16
"""Channels of the convolutions over bands × hops."""
POOL = 4
"""Bands that the trunk sees as one."""
TRUNK = 32
DILATIONS = (1, 2, 4, 8, 16)
LOCAL_DILATIONS = (1, 2, 4, 1)
"""In time; two convolutions before the trunk's answer, two after."""
REACH = sum(DILATIONS) + sum(LOCAL_DILATIONS)
"""Hops it sees to either side."""


class MaskNetwork(nn.Module):
    """Input [excerpts, CHANNELS, hops, BANDS] → masks [excerpts, COMPONENTS, STEMS, hops, BANDS] that add up to 1 over stems."""

    def __init__(self, mean: Tensor, deviation: Tensor):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("deviation", deviation)
        inputs = [CHANNELS, WIDTH, WIDTH, WIDTH]
        self.local = nn.ModuleList(
            [nn.Conv2d(n, WIDTH, 3, dilation=(d, 1), padding=(d, 1)) for n, d in zip(inputs, LOCAL_DILATIONS)]
        )
        self.local_norm = nn.ModuleList([nn.BatchNorm2d(WIDTH) for _ in LOCAL_DILATIONS])
        self.band_bias = nn.Parameter(torch.zeros(WIDTH, 1, BANDS))
        coarse = WIDTH * BANDS // POOL
        self.gather = nn.Conv1d(coarse, TRUNK, 1)
        self.dilated = nn.ModuleList([nn.Conv1d(TRUNK, TRUNK, 3, dilation=d, padding=d) for d in DILATIONS])
        self.gather_norm = nn.BatchNorm1d(TRUNK)
        self.dilated_norm = nn.ModuleList([nn.BatchNorm1d(TRUNK) for _ in DILATIONS])
        self.merge = nn.ModuleList([nn.Conv1d(TRUNK, TRUNK, 1) for _ in DILATIONS])
        self.drop = nn.Dropout(0.1)
        self.spread = nn.Conv1d(TRUNK, coarse, 1)
        self.output = nn.Conv2d(WIDTH, COMPONENTS * len(STEMS), 1)
        self.output_bias = nn.Parameter(torch.zeros(COMPONENTS * len(STEMS), 1, BANDS))

    def forward(self, heard: Tensor) -> Tensor:
        excerpts, _, hops, _ = heard.shape
        x = (heard - self.mean) / self.deviation
        first, second, third, fourth = (nn.Sequential(*pair) for pair in zip(self.local, self.local_norm))
        x = torch.relu(first(x) + self.band_bias)
        x = x + torch.relu(second(x))
        coarse = x.reshape(excerpts, WIDTH, hops, BANDS // POOL, POOL).mean(dim=4)
        coarse = coarse.permute(0, 1, 3, 2).reshape(excerpts, -1, hops)
        trunk = torch.relu(self.gather_norm(self.gather(coarse)))
        for convolve, norm, merge in zip(self.dilated, self.dilated_norm, self.merge):
            trunk = trunk + self.drop(merge(torch.relu(norm(convolve(trunk)))))
        wide = self.spread(torch.relu(trunk)).reshape(excerpts, WIDTH, BANDS // POOL, hops).permute(0, 1, 3, 2)
        x = torch.relu(x + wide.repeat_interleave(POOL, dim=3))
        x = x + torch.relu(third(x))
        x = x + torch.relu(fourth(x))
        logits = self.output(x) + self.output_bias
        return torch.softmax(logits.reshape(excerpts, COMPONENTS, len(STEMS), hops, BANDS), dim=2)

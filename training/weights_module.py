"""Trained weights as a module of the product."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np


def write_module(path: Path, arrays: Sequence[np.ndarray], manifest: dict[str, object], written_by: str, card: str) -> None:
    """A TypeScript module with a manifest and the arrays one after another as half floats in base64."""
    blob = b"".join(np.ascontiguousarray(a, np.float32).astype("<f2").tobytes() for a in arrays)
    digest = hashlib.sha256(blob).hexdigest()
    path.write_text(
        f"// Written by {written_by}; see {card}.\n"
        f"export const MANIFEST = {json.dumps({'sha256': digest, **manifest}, indent=2)} as const;\n\n"
        f"/** Little-endian half floats in the order of {written_by}, base64. */\n"
        f'export const WEIGHTS =\n  "{base64.b64encode(blob).decode()}";\n'
    )
    print(f"{len(blob)} bytes, sha256 {digest}")

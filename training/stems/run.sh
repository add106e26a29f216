#!/bin/sh
# Makes the committed mask network from nothing: run.sh FOLDER. See README.md in the folder above.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
excerpts=190
steps=2400

# As in training/run.sh.
export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=8000000000 MALLOC_TOP_PAD_=67108864 MALLOC_ARENA_MAX=1

/usr/bin/python3 -m training.stems.render --out "$folder" --excerpts $excerpts
/usr/bin/python3 -m training.stems.train --excerpts "$folder" --out "$folder/stems.pt" --steps $steps
/usr/bin/python3 -m training.stems.export "$folder/stems.pt" --note "$excerpts rendered excerpts, $steps steps, seed 1"
npx oxfmt packages/analysis/src/network/stem-weights.ts training/stems/regression.json

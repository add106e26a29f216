#!/bin/sh
# Makes the committed network from nothing: run.sh FOLDER. See README.md beside this file.
set -eu
cd "$(dirname "$0")/.."
folder=$1
songs=900
steps=3600

# Large arrays come and go at every step; giving their pages back each time would cost more than the arithmetic.
export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=8000000000 MALLOC_TOP_PAD_=67108864 MALLOC_ARENA_MAX=1

/usr/bin/python3 -m training.render --out "$folder" --songs $songs --part 0/2 &
first=$!
/usr/bin/python3 -m training.render --out "$folder" --songs $songs --part 1/2
wait $first
/usr/bin/python3 -m training.train --songs "$folder" --out "$folder/network.pt" --steps $steps
/usr/bin/python3 -m training.export "$folder/network.pt" --note "$songs rendered songs, $steps steps, seed 1"
npx oxfmt packages/analysis/src/network/weights.ts training/regression.json

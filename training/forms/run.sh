#!/bin/sh
# Makes the committed weights of the labels from nothing: run.sh FOLDER. See ../README.md.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
songs=228
grooves=70

# Large arrays come and go; giving their pages back each time would cost more than the arithmetic.
export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=8000000000 MALLOC_TOP_PAD_=67108864 MALLOC_ARENA_MAX=1

/usr/bin/python3 -m training.render --forms songs --out "$folder" --songs $songs --seed 11
/usr/bin/python3 -m training.render --forms grooves --out "$folder" --songs $grooves --seed 12
node scripts/run.mjs training/forms/portray.ts "$folder" "$folder/portraits.json"
/usr/bin/python3 -m training.forms.train "$folder/portraits.json" --note "$songs songs of seed 11, $grooves of seed 12"
npx oxfmt packages/analysis/src/form/label-weights.ts

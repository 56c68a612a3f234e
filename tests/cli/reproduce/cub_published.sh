# SPDX-License-Identifier: MIT
# The published maps: a damaged file is named before anything is learned.
if [ ! -f "${PUBLISHED-}/cub/subset.tsv" ]; then
    echo "the published data are not here" >&2
    exit 77
fi
mkdir -p sets/cub
cp "$PUBLISHED"/cub/*.txt "$PUBLISHED"/cub/*.npy "$PUBLISHED"/cub/README sets/cub
chmod -R u+w sets
head -n 20 "$PUBLISHED/cub/subset.tsv" >sets/cub/subset.tsv
"$OTHERWISE" reproduce cub --quick --data sets -o out

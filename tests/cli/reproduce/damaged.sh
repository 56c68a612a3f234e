# SPDX-License-Identifier: MIT
# A file of the right name with other bytes is not taken for the published one.
mkdir -p data/adult data/mnist data/cub
echo "39, State-gov" >data/adult/adult.data
echo "not gzip" >data/mnist/train-images-idx3-ubyte.gz
echo "not maps" >data/cub/features_resnet50_7x7x100.npy
echo "1" >data/cub/README
"$OTHERWISE" reproduce mnist --data data -o out
"$OTHERWISE" reproduce adult --data data -o out
"$OTHERWISE" reproduce cub --data data -o out

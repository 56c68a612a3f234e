#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Feature maps of photographs, as `otherwise reproduce cub --features` reads them.

    extract_features.py FOLDER OUT [--channels 100] [--untrained]

FOLDER holds a folder of JPEG files for each class, as CUB_200_2011/images does.  Into the folder OUT go

    features.npy   float32, C order: (images, 7, 7, channels), the output of VGG-16's last convolution block
    labels.txt     the class of each image, one a line
    images.txt     the path of each image, one a line

and then

    otherwise reproduce cub --features OUT/features.npy --labels OUT/labels.txt --images OUT/images.txt

As in the paper, images are scaled to 224 x 224 and the first 100 channels are kept.  The classes of the paper are used if FOLDER has
them all, and only these; otherwise all there are.  Needs PyTorch, torchvision, NumPy and Pillow; the weights are downloaded once.
--untrained takes random weights instead, which shows the layout without a download and nothing else.
"""
import argparse
from pathlib import Path

import numpy
import torch
from PIL import Image
from torchvision import models

PAPER = ("Red_faced_Cormorant", "Crested_Auklet", "Myrtle_Warbler", "Olive_sided_Flycatcher",
         "Horned_Grebe", "Eared_Grebe")
SIDE = 224
# What the network was trained with: the mean and deviation of ImageNet's colours.
MEAN = (0.485, 0.456, 0.406)
DEVIATION = (0.229, 0.224, 0.225)


def find_classes(folder):
    """The folders of the classes, the paper's six if all are there."""
    classes = sorted(path for path in folder.iterdir() if path.is_dir())
    of_paper = [path for path in classes if path.name.endswith(PAPER)]
    return of_paper if len(of_paper) == len(PAPER) else classes


def read_image(path):
    """The image as the network takes it: (1, 3, 224, 224)."""
    with Image.open(path) as image:
        pixels = numpy.asarray(image.convert("RGB").resize((SIDE, SIDE), Image.BILINEAR))
    scaled = (pixels / 255.0 - MEAN) / DEVIATION
    return torch.from_numpy(scaled.astype(numpy.float32)).permute(2, 0, 1).unsqueeze(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--channels", type=int, default=100)
    parser.add_argument("--untrained", action="store_true",
                        help="random weights: to see the layout, without a download")
    options = parser.parse_args()

    # Its convolution layers, up to and including the last pooling: 7 x 7 x 512.
    weights = None if options.untrained else models.VGG16_Weights.IMAGENET1K_V1
    network = models.vgg16(weights=weights).features.eval()
    maps, labels, images = [], [], []
    with torch.no_grad():
        for folder in find_classes(options.folder):
            for path in sorted(folder.glob("*.jpg")):
                channels_first = network(read_image(path))[0, :options.channels]
                maps.append(channels_first.permute(1, 2, 0).numpy())
                labels.append(folder.name)
                images.append(str(path.resolve()))

    options.out.mkdir(parents=True, exist_ok=True)
    numpy.save(options.out / "features.npy", numpy.ascontiguousarray(maps, dtype=numpy.float32))
    (options.out / "labels.txt").write_text("".join(f"{label}\n" for label in labels))
    (options.out / "images.txt").write_text("".join(f"{image}\n" for image in images))
    print(f"{len(maps)} images in {options.out}")


if __name__ == "__main__":
    main()

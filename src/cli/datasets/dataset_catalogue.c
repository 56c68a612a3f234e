/* SPDX-License-Identifier: MIT */
/* The data sets of the experiments: who publishes them, under which terms, and what their
 * files look like.  A file is told from another by its size and its sha256. */
#include "datasets/dataset_catalogue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "otherwise/file.h"
#include "terminal/failure.h"
#include "terminal/text_build.h"

static const dataset_file mnist_files[] = {
    {"train-images-idx3-ubyte.gz", 9912422,
     "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
    {"train-labels-idx1-ubyte.gz", 28881,
     "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
    {"t10k-images-idx3-ubyte.gz", 1648877,
     "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
    {"t10k-labels-idx1-ubyte.gz", 4542,
     "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"},
};

static const dataset_file credit_files[] = {
    {"german.data", 79793,
     "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871"},
    {"german.doc", 4679,
     "69b92cb551111bc37098698288849c96f0fd87ce81a2e54451ff39aa1e53fe49"},
};

static const dataset_file adult_files[] = {
    {"adult.data", 3974305,
     "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"},
    {"adult.test", 2003153,
     "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05"},
    {"adult.names", 5229,
     "c248284c0b5de30c9e1958d6cdd168a34a654758b620e68f46aefa83fc0a576a"},
};

/* The last two are derived from the others and the photographs: the six species of the
 * experiments, and 100 channels of a ResNet-50's last convolution for each photograph. */
static const dataset_file cub_files[] = {
    {"README", 6282, "561ab3afb035368f4fc369b249740326a476085933854e55ba1e6e5e98fecd15"},
    {"classes.txt", 4825,
     "d65f8bac3ca070a44f4b860436cbcc8302289ee715b7a6a641d4db9bdc6fcd31"},
    {"images.txt", 682287,
     "e1cfc5ed1f4bd1b838040784b6f75c44f7a25d9b31707a3adab49ec694618c1f"},
    {"image_class_labels.txt", 100487,
     "e9df8c96d897994a245746fe2c98914b9b31f5342bddc6e8b06bdfbf45e49b02"},
    {"train_test_split.txt", 83198,
     "8bbbfcc09b4d3c9c6e3e40c9874bd863eb6658f4f456e472df1b33d3403d2600"},
    {"bounding_boxes.txt", 328018,
     "c19d9f096c15564793408e5ba054b8d715a6805819d98f037c977f369ef4abd3"},
    {"subset.tsv", 37798,
     "46b6cc311862a265e962325bba0e03ba368f09ec31b987acab36162ad68d3699"},
    {"features_resnet50_7x7x100.npy", 6585728,
     "b384b973b86f08be6f3498c667f908ce57034f05b3b369757fed5738db9a3b6b"},
};

static const char *const mnist_places[] = {
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "https://ossci-datasets.s3.amazonaws.com/mnist/", NULL};
static const char *const credit_places[] = {
    "https://archive.ics.uci.edu/static/public/144/statlog+german+credit+data.zip",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/statlog/german/", NULL};
static const char *const adult_places[] = {
    "https://archive.ics.uci.edu/static/public/2/adult.zip",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/", NULL};
static const char *const nowhere[] = {NULL};

#define FILES(list) sizeof(list) / sizeof *(list), list

static const dataset catalogue[] = {
    {"mnist", "MNIST handwritten digits", "Yann LeCun, Corinna Cortes, Christopher Burges",
     "CC BY-SA 3.0 (as usually given)", FILES(mnist_files), mnist_places, NULL},
    {"credit", "Statlog (German Credit Data)",
     "UCI Machine Learning Repository; Hans Hofmann, 1994", "CC BY 4.0",
     FILES(credit_files), credit_places, NULL},
    {"adult", "Adult (Census Income)",
     "UCI Machine Learning Repository; Barry Becker and Ronny Kohavi, 1996", "CC BY 4.0",
     FILES(adult_files), adult_places, NULL},
    {"cub", "Caltech-UCSD Birds-200-2011, six species",
     "California Institute of Technology; Wah, Branson, Welinder, Perona, Belongie, 2011",
     "non-commercial research and education; photographs are their owners'",
     FILES(cub_files), nowhere,
     "its photographs may not be passed on; get CUB_200_2011.tgz from "
     "https://www.vision.caltech.edu/datasets/cub_200_2011/, make feature maps with "
     "examples/extract_features.py and run \"otherwise reproduce cub\" with --features, "
     "--labels and --images"},
};

const dataset *dataset_get(size_t index)
{
    return index < sizeof catalogue / sizeof *catalogue ? &catalogue[index] : NULL;
}

static ow_status compare(const char *path, const dataset_file *wanted, bool check_sum,
                         file_state *state)
{
    struct stat about;
    char sum[OW_SHA256_SIZE];

    *state = FILE_ABSENT;
    if (stat(path, &about) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return OW_OK;
        return failure_of_file("look at", path);
    }
    *state = FILE_DIFFERENT;
    if (!S_ISREG(about.st_mode) || (uint64_t)about.st_size != wanted->size) return OW_OK;
    if (check_sum) {
        const ow_status status = ow_file_sha256(path, sum);
        if (status != OW_OK) return status;
        if (strcmp(sum, wanted->sha256) != 0) return OW_OK;
    }
    *state = FILE_PRESENT;
    return OW_OK;
}

ow_status dataset_check_file(const dataset *set, size_t file, const char *folder,
                             bool check_sum, file_state *state)
{
    char *path = text_add(NULL, "%s/%s/%s", folder, set->name, set->files[file].name);
    const ow_status status = compare(path, &set->files[file], check_sum, state);
    free(path);
    return status;
}

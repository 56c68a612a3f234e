/* SPDX-License-Identifier: MIT */
/* Where onnxruntime is: the path that was given, else a Python package of the environment
 * at work or of the user. */
#ifndef CLI_ONNXRUNTIME_PATH_H
#define CLI_ONNXRUNTIME_PATH_H

/* The caller frees it; NULL: wherever the library looks. */
char *onnxruntime_path(const char *given);

#endif

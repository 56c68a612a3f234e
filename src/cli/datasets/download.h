/* SPDX-License-Identifier: MIT */
/* One file over HTTP, begun again where it broke off. */
#ifndef CLI_DOWNLOAD_H
#define CLI_DOWNLOAD_H

#include <stdint.h>

typedef enum {
    DOWNLOAD_DONE,
    DOWNLOAD_FAILED,  /* the network or the server; another place may do  */
    DOWNLOAD_NO_ROOM, /* the file cannot be written                       */
    DOWNLOAD_STOPPED  /* a signal asked for it                            */
} download_result;

typedef struct {
    const char *url;
    const char *path; /* what is there already is the beginning of the file */
    const char *name; /* for the progress line                              */
    uint64_t size;    /* of the whole file; 0: not known                    */
    uint64_t most;    /* bytes that are accepted                            */
} download_request;

/* *why, for DOWNLOAD_FAILED and DOWNLOAD_NO_ROOM, is a sentence for the caller to free.
 * Whatever has come stays in the file. */
download_result download_file(const download_request *request, char **why);

#endif

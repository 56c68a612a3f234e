/* SPDX-License-Identifier: MIT */
/* libcurl, loaded when something is to be downloaded: with its thirty libraries it would
 * make every start of the program slower than the program itself. */
#ifndef CLI_CURL_LIBRARY_H
#define CLI_CURL_LIBRARY_H

#include <curl/curl.h>

typedef struct {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *handle);
    CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
    CURLcode (*easy_perform)(CURL *handle);
    const char *(*easy_strerror)(CURLcode code);
} curl_library;

/* Ready for use; NULL after a complaint. */
const curl_library *curl_library_get(void);

#endif

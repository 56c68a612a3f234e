/* SPDX-License-Identifier: MIT */
#include "datasets/download.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "datasets/curl_library.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "terminal/text_build.h"

enum {
    most_idle = 5,       /* tries without a byte of progress      */
    most_fresh = 3,      /* beginnings from the first byte        */
    silent_seconds = 30, /* a connection that says nothing        */
    connect_seconds = 20,
    most_redirections = 10
};

/* One transfer. */
typedef struct {
    const download_request *request;
    FILE *file;
    uint64_t had, got; /* bytes before it, and from it */
    int write_error;   /* errno; 0: none               */
    bool too_large;
    struct timespec began;
} transfer;

static double seconds_since(const struct timespec *began)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - began->tv_sec) +
           1e-9 * (double)(now.tv_nsec - began->tv_nsec);
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *user)
{
    transfer *t = user;
    const size_t n = size * count;
    if (n > t->request->most || t->had + t->got > t->request->most - n) {
        t->too_large = true;
        return 0;
    }
    if (fwrite(bytes, 1, n, t->file) != n) {
        t->write_error = errno;
        return 0;
    }
    t->got += n;
    return n;
}

/* Nonzero stops the transfer. */
static int tell(void *user, curl_off_t total, curl_off_t now, curl_off_t up_total,
                curl_off_t up_now)
{
    (void)total, (void)now, (void)up_total, (void)up_now;
    const transfer *t = user;
    bool show = terminal_obeys(stderr);
    char stage[128];
    snprintf(stage, sizeof stage, "fetching %s", t->request->name);
    const ow_progress progress = {stage, t->had + t->got, t->request->size,
                                  seconds_since(&t->began)};
    return !progress_report(&show, &progress) || interrupt_signal() != 0;
}

static void set_up(const curl_library *curl, CURL *handle, transfer *t)
{
    curl->easy_setopt(handle, CURLOPT_URL, t->request->url);
    curl->easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl->easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR,
                      strncmp(t->request->url, "https:", 6) == 0 ? "https" : "http,https");
    curl->easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl->easy_setopt(handle, CURLOPT_MAXREDIRS, (long)most_redirections);
    curl->easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
    curl->easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl->easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, (long)connect_seconds);
    curl->easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl->easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, (long)silent_seconds);
    curl->easy_setopt(handle, CURLOPT_USERAGENT, "otherwise");
    curl->easy_setopt(handle, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)t->had);
    curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_bytes);
    curl->easy_setopt(handle, CURLOPT_WRITEDATA, t);
    curl->easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl->easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, tell);
    curl->easy_setopt(handle, CURLOPT_XFERINFODATA, t);
}

/* Goes on behind what the file has; fresh: begins it anew. */
static CURLcode transfer_once(const curl_library *curl, transfer *t, bool fresh,
                              long *http_status)
{
    struct stat about;
    CURLcode code = CURLE_FAILED_INIT;
    *http_status = 0;
    t->file = fopen(t->request->path, fresh ? "wb" : "ab");
    if (t->file == NULL) return t->write_error = errno, CURLE_WRITE_ERROR;
    t->had = fstat(fileno(t->file), &about) == 0 ? (uint64_t)about.st_size : 0;
    t->got = 0;
    CURL *handle = curl->easy_init();
    if (handle != NULL) {
        set_up(curl, handle, t);
        code = curl->easy_perform(handle);
        curl->easy_getinfo(handle, CURLINFO_RESPONSE_CODE, http_status);
        curl->easy_cleanup(handle);
    }
    if (fflush(t->file) != 0 || fsync(fileno(t->file)) != 0) t->write_error = errno;
    if (fclose(t->file) != 0 && t->write_error == 0) t->write_error = errno;
    return t->write_error != 0 ? CURLE_WRITE_ERROR : code;
}

/* A connection that broke, or a server that is busy: worth another try. */
static bool may_pass(CURLcode code, long http_status)
{
    return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR ||
           code == CURLE_GOT_NOTHING || code == CURLE_OPERATION_TIMEDOUT ||
           code == CURLE_SEND_ERROR || http_status == 429 || http_status >= 500;
}

/* The server cannot go on in the middle: 416, or no answer to the range at all. */
static bool must_begin_anew(CURLcode code, long http_status)
{
    return code == CURLE_RANGE_ERROR || http_status == 416;
}

static char *sentence(const curl_library *curl, const transfer *t, CURLcode code,
                      long http_status)
{
    const char *url = t->request->url;
    if (t->too_large)
        return text_add(NULL, "%s: more than the %llu bytes that it should have", url,
                        (unsigned long long)t->request->most);
    if (code == CURLE_OK)
        return text_add(NULL, "%s: %llu bytes, expected %llu", url,
                        (unsigned long long)(t->had + t->got),
                        (unsigned long long)t->request->size);
    if (http_status >= 400)
        return text_add(NULL, "%s: the server says %ld", url, http_status);
    return text_add(NULL, "%s: %s", url, curl->easy_strerror(code));
}

static void pause_before_try(unsigned n_idle)
{
    const struct timespec wait = {0, 100000000L * (long)(n_idle + 1)};
    nanosleep(&wait, NULL);
}

download_result download_file(const download_request *request, char **why)
{
    *why = NULL;
    const curl_library *curl = curl_library_get();
    if (curl == NULL)
        return *why = text_add(NULL, "%s: not fetched", request->url), DOWNLOAD_FAILED;

    transfer t = {.request = request};
    clock_gettime(CLOCK_MONOTONIC, &t.began);
    unsigned n_idle = 0, n_fresh = 0; /* tries that brought nothing, and new beginnings */
    for (bool fresh = false;;) {
        long http_status;
        const CURLcode code = transfer_once(curl, &t, fresh, &http_status);
        progress_clear();
        if (code == CURLE_OK && t.had + t.got >= request->size) return DOWNLOAD_DONE;
        if (interrupt_signal() != 0) return DOWNLOAD_STOPPED;
        if (t.write_error != 0) {
            *why = text_add(NULL, "cannot write %s: %s", request->path,
                            strerror(t.write_error));
            return DOWNLOAD_NO_ROOM;
        }
        fresh = must_begin_anew(code, http_status) && t.had > 0;
        n_fresh += fresh;
        n_idle = t.got > 0 ? 0 : n_idle + 1;
        /* A server that ends cleanly too early may have been cut off unseen, if it did not
         * say how much there is. */
        const bool again = fresh || code == CURLE_OK || may_pass(code, http_status);
        if (!again || t.too_large || n_idle == most_idle || n_fresh == most_fresh) {
            *why = sentence(curl, &t, code, http_status);
            return DOWNLOAD_FAILED;
        }
        pause_before_try(n_idle);
    }
}

/* SPDX-License-Identifier: MIT */
#include "support/thread_team.h"

#include <pthread.h>
#include <string.h>

#include "support/ow_test.h"

/* One block of memory stands for the network. */
enum { most_bytes = 1 << 22 };
typedef struct {
    pthread_barrier_t barrier;
    unsigned char *bytes;
} network;

typedef struct {
    network *net;
    ow_team team;
    ow_test_member_fn body;
    void *user;
} member;

static const char *gather(void *user, const void *own, const size_t *sizes, void *all)
{
    const member *m = user;
    size_t before = 0, total = 0;
    for (size_t i = 0; i < m->team.n; i++) {
        before += i < m->team.rank ? sizes[i] : 0;
        total += sizes[i];
    }
    if (total > most_bytes) return "too much";
    if (sizes[m->team.rank] > 0) memcpy(m->net->bytes + before, own, sizes[m->team.rank]);
    pthread_barrier_wait(&m->net->barrier);
    if (total > 0) memcpy(all, m->net->bytes, total);
    pthread_barrier_wait(&m->net->barrier);
    return NULL;
}

static void *work(void *user)
{
    const member *m = user;
    m->body(m->user, &m->team);
    return NULL;
}

void ow_test_run_team(size_t n, ow_test_member_fn body, void *user)
{
    pthread_t threads[ow_test_most_members];
    member members[ow_test_most_members];
    network net = {.bytes = malloc(most_bytes)};
    assert_non_null(net.bytes);
    assert_in_range(n, 1, ow_test_most_members);
    assert_int_equal(pthread_barrier_init(&net.barrier, NULL, (unsigned)n), 0);
    for (size_t i = 0; i < n; i++) {
        members[i] = (member){&net,
                              {.size = sizeof(ow_team),
                               .rank = i,
                               .n = n,
                               .user = &members[i],
                               .gather = gather},
                              body,
                              user};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &members[i]), 0);
    }
    for (size_t i = 0; i < n; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&net.barrier);
    free(net.bytes);
}

/* SPDX-License-Identifier: MIT */
/* A team whose processes are threads of the test. */
#ifndef OW_TEST_THREAD_TEAM_H
#define OW_TEST_THREAD_TEAM_H

#include "otherwise/team.h"

enum { ow_test_most_members = 5 };

/* Runs the body in n threads at once, each as one process of a team; returns when all have
 * ended.  All must gather as often: no assertions in the body. */
typedef void (*ow_test_member_fn)(void *user, const ow_team *team);
void ow_test_run_team(size_t n, ow_test_member_fn body, void *user);

#endif

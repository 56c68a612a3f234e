/* SPDX-License-Identifier: MIT */
#ifndef OWI_CLOCK_H
#define OWI_CLOCK_H

/* Seconds on a clock that never jumps; only differences mean anything. */
double owi_clock_seconds(void);

#endif

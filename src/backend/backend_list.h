/* SPDX-License-Identifier: MIT */
/* The backends of this build. */
#ifndef OWI_BACKEND_LIST_H
#define OWI_BACKEND_LIST_H

#include "backend/backend.h"

extern const owi_backend owi_backend_ref;
extern const owi_backend owi_backend_cpu_plain;
#if defined(__x86_64__)
extern const owi_backend owi_backend_cpu_avx2, owi_backend_cpu_avx512;
#endif

#endif

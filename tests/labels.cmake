# SPDX-License-Identifier: MIT
# Which tests carry which label, besides the first folder of their name.  A line is a pattern that
# the whole name has to match; the test checks/labels names those that match none.
#
#     threads    what runs on several threads: `make test` runs it under ThreadSanitizer, too
#     kernels    vector code: `make test` runs it as clang compiles it, too
#     decimals   what a model has computed is compared digit by digit: `make test` runs it with the
#                kernels of older processors, too (tests/processors)
#     slow       takes seconds: `make check` leaves it out
#     heavy      takes long under a sanitizer: there it waits for `make test-long`
#     raced      what only ThreadSanitizer has something to say of: AddressSanitizer's run waits, too
#     long       waits for `make test-long` everywhere
#
# What is neither slow nor long is `short` in the builds whose whole suite `make test` runs.
set(OW_LABELS threads kernels decimals slow heavy raced long)

set(OW_LABEL_threads
  "unit/base/(context|parallel|team|thread_pool)"
  "unit/circuit/(anchor_rows|evaluator|learn_adam|learn_em|learn_pooled|score|statistics)"
  "unit/circuit/query_(changes|conditional|gradient|mpe|sample)"
  "unit/data/split"
  "unit/evaluate/(experiment|judge_circuit|neighbours)"
  "unit/explain/explain_(cem|face|guided|two_step|wachter)"
  "unit/explain/(explain|guided_image|near_rows|session|threads)"
  "unit/model/(model_train|network)"
  "unit/network/mlp_(runner|train)"
  "cli/explain/threads"
  "serve/requests"
)

set(OW_LABEL_kernels
  "kernels/.*"
  "golden/.*"
  "unit/backend/.*"
  "unit/circuit/(anchor_rows|evaluator|pass|query_gradient|score|adjoint_lanes|tile_change|vectors)"
  "unit/explain/simplex_lanes"
  "unit/trees/tree(s_golden|_kernels)"
)

set(OW_LABEL_decimals
  "golden/.*"
  "examples/(draw_moons|explain_applicant|guided_from_arrays|train_from_arrays)"
  "processors/taken"
)

set(OW_LABEL_slow
  "browser/(pages|serve)"
  "docs/doc/manual.md"
  "docs/README.md"
  "python/pytest"
  "serve/requests"
  "audit/figures"
  "team/(bytes|lost)"
  "reasons/values"
  "corrections/spurious"
  "kernels/leaf_(backward|change|forward|statistics)"
  "messy/tables"
  "format/(auto_per_class_depth_2|images)"
  "unit/explain/threads"
  "unit/explain/(cancel|ticks)"
  "unit/explain/random_constraints"
  "unit/model/tune"
  "cli/letters/credit"
  "cli/reproduce/(credit|tune)"
)

set(OW_LABEL_heavy
  "unit/explain/(cancel|ticks)"
  "unit/circuit/learn_pooled"
  "unit/explain/random_constraints"
  "cli/reproduce/(credit|tune)"
  "cli/train/(credit|same_bytes)" # training at full size, which other cases do at a small one
  "cli/inspect/credit"
  "cli/letters/credit"
  "cli/demo/report"
  "cli/every_command/(closed_pipe|full_disk)"
  "cli/reproduce/cub_own_maps"
  "cli/train/(doubts|network)"
  "examples/(explain_(applicant|file|program)|own_(classifier|values))"
  "unit/model/(choose_structure|tune)"
  "(reasons/values|corrections/spurious)" # serve/requests asks for reasons, too
  # What others do as well, on another table or in another form.
  "format/(auto_per_class|auto_per_class_depth_2|auto_depth_0|log1p|odd_columns|network_odd_columns)"
  "format/(images|network|sheets|trees|trees_odd_columns)" # unit/model/model_file reads all kinds
  "messy/tables" # unit/data reads each form
  "unit/report/page" # a page for each allocation that fails
  "cli/evaluate/(same_bytes|files|nothing_in_common|not_writable|narrow|unsolved)"
  "cli/train/(tune|without_effect)"
  "cli/explain/(csv|methods_fail|spread_category)"
  "cli/train/original"
  "audit/figures"
  "unit/model/(tally|unseen_densities)"
  "unit/report/structure_svg"
)

set(OW_LABEL_raced
  "unit/explain/threads"
)

set(OW_LABEL_long
  "abi/grown" # builds the library once more
  "kernels/gpu_code" # compiles the kernels for GPUs
  "browser/axe"
  "serve/pressure"
  "cli/reproduce/credit_again"
  "golden/onnx_live"
  "golden/trees_live"
  "python/long"
)

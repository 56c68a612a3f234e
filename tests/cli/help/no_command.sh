# SPDX-License-Identifier: MIT
# The overview, but as a complaint.
"$OTHERWISE"

# SPDX-License-Identifier: MIT
# The appendix tunes nothing for the plane.
"$OTHERWISE" reproduce toy --tune

# SPDX-License-Identifier: MIT
# Every command tells how it is used, and what an option that it has not may have meant.
for command in demo schema train predict explain serve reasons letters audit evaluate methods sample inspect import reproduce "data list" "data fetch" help; do
    "$OTHERWISE" $command --help | head -n 1
    "$OTHERWISE" help $command >told; "$OTHERWISE" $command --help | cmp - told
    "$OTHERWISE" $command --quite 2>&1; echo "exit code $?"
done

# SPDX-License-Identifier: MIT
# For cases of tests/cli:  . "$SUPPORT/loans.sh"
# makes loans.csv, and loans.ow, the model of its column `loan` without `name`.  Training takes most of the
# time of a case, so that ctest has the model made once for all cases (tests/cli/CMakeLists.txt) in the
# folder MODELS; without that folder it is trained here.
awk -f "$SUPPORT/../cli/loans.awk" >loans.csv
if [ -n "$MODELS" ]; then
    cp "$MODELS/loans.ow" loans.ow
else
    "$OTHERWISE" train loans.csv --label loan --drop name --unlock all --structure random -o loans.ow --quiet >/dev/null
fi

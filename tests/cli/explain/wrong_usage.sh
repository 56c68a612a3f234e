# SPDX-License-Identifier: MIT
# What is misspelt or cannot be is named, with the nearest spelling.
exec 2>&1
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --row 8 --method two-step "$@"; echo "exit code $?"; }
ow --target grated
ow --immutable agee
ow --vary incme
ow --range income=30:20
ow --range income
ow --range incom=1:2
ow --range job=1:2
ow --range income=low:high
ow --allow job=clark
ow --allow income=ten
ow --monotone debt=sideways
ow --monotone job=up
ow --method tow-step
ow --method two-step --set sparse=yes
ow --preset papper
ow --set class-stp=3
ow --set class-step=far
ow --set class-step
ow --min-density 25
ow --min-density q101
ow --prob 0.9:0.7
ow --prob 70:100
ow --max-changes 0
ow --row 0
ow --row 8,many
ow --row 5000
ow --format jsonn
ow --id nam
ow --png a.png
ow -k 0
ow --background nothing.csv
"$OTHERWISE" explain loans.ow; echo "exit code $?"
"$OTHERWISE" explain - - ; echo "exit code $?"
ow --surer 1.1
ow --surer maybe
ow --surer 0.8 --format csv
ow --surer 0.8 --prob 0.5:0.7

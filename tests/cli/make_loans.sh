#!/bin/sh
# SPDX-License-Identifier: MIT
# make_loans.sh PROGRAM FOLDER: FOLDER/loans.ow, for tests/support/loans.sh.
set -e
SUPPORT=$(cd "$(dirname "$0")/../support" && pwd)
OTHERWISE=$1
MODELS=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$SUPPORT/loans.sh"
# A case of another run never sees half of it.
cp loans.ow "$2/loans.ow.$$"
mv "$2/loans.ow.$$" "$2/loans.ow"

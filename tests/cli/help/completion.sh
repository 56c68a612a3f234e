# SPDX-License-Identifier: MIT
# What bash offers after the words before the cursor.
command -v bash >/dev/null || { echo "no bash" >&2; exit 77; }
"$OTHERWISE" help --completion bash >script || exit 1
cat >ask.bash <<'END'
. ./script
offer()
{
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _otherwise
    echo "$* -> ${COMPREPLY[*]}"
}
offer otherwise h
offer otherwise --q
offer otherwise --seed 3 h
offer otherwise help h
offer otherwise help --qu
offer otherwise help sch
offer otherwise d
offer otherwise data ""
offer otherwise help data ""
offer otherwise data list --ch
offer otherwise schema --scal
offer otherwise schema t.csv --scaling ""
offer otherwise schema t.csv --levels = s
offer otherwise schema t.csv --levels =
offer otherwise schema c
program=$1
ask()
{
    COMP_WORDS=("$program" "$@") COMP_CWORD=$# COMPREPLY=()
    _otherwise
    echo "$* -> ${COMPREPLY[*]}"
}
ask explain m.ow t.csv --method g
ask explain m.ow t.csv --target ""
ask explain m.ow t.csv --immutable i
ask explain m.ow t.csv --immutable age,i
ask train t.csv --label lo
ask train t.csv --drop monthly
ask explain nothing.ow --target ""
ask explain t.csv --target ""
END
. "$SUPPORT/loans.sh"
mv loans.ow m.ow
echo "loan,monthly income" >t.csv
bash ask.bash "$OTHERWISE"

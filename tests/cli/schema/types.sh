# SPDX-License-Identifier: MIT
# What the options say about columns is what the table shows.
{
    echo size,code,grade,when,pay,risk
    echo small,1,A,2001,10.5,good
    echo large,2,B,2002,20.25,bad
    echo middle,3,C,2003,30.0,good
    echo small,1,A,2004,40.5,good
} >t.csv
"$OTHERWISE" schema t.csv --label risk --ordinal 'size=small|middle|large' --ordinal grade \
    --categorical code --immutable when,size --scaling log1p
"$OTHERWISE" schema t.csv --label risk --drop code,grade,when,pay --levels appearance

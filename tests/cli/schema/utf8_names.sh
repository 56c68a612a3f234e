# SPDX-License-Identifier: MIT
# Columns stay aligned under wide and combining characters.
printf 'Größe,年齢,re\314\201sume\314\201,plain,Klasse\n1.5,20,é,a,ja\n2.5,30,ü,b,nein\n3.5,40,é,a,ja\n' >t.csv
"$OTHERWISE" schema t.csv --label Klasse

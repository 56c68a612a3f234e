# SPDX-License-Identifier: MIT
# Quotes, CRLF, a byte order mark and a comma inside a field.
printf '\357\273\277"age";"job";"risk"\r\n20;"clerk, senior";good\r\n30;"said ""no""";bad\r\n' >t.csv
"$OTHERWISE" schema t.csv --label risk

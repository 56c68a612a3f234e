# SPDX-License-Identifier: MIT
# A program that decides, started by --model-command: it looks at one column, on which the label does not depend.
awk 'BEGIN {
    print "shoe,income,town,paid"
    for (i = 0; i < 300; i++)
        print 36 + i * 7 % 12 "," 1000 + i * 37 % 2000 "," (i % 3 ? "Bonn" : "Celle") "," (i * 37 % 2000 > 900 ? "yes" : "no")
}' > rows.csv
cat > by_shoe.sh <<'END'
while IFS=, read -r shoe rest; do
    case $shoe in shoe|'') ;; 4[2-9]) echo 0.8 ;; *) echo 0.3 ;; esac
done
END
"$OTHERWISE" train rows.csv --label paid --model-command 'sh by_shoe.sh' -o rows.ow --unlock all 2> /dev/null | sed -n '3,6p'
"$OTHERWISE" explain rows.ow rows.csv --target yes --row 1-4 --model-command 'sh by_shoe.sh'
"$OTHERWISE" predict rows.ow rows.csv
"$OTHERWISE" predict rows.ow rows.csv --model-command 'echo 0.5; exit 3'
"$OTHERWISE" predict rows.ow rows.csv --model-command 'sleep 1000' --model-timeout 0.1
"$OTHERWISE" train rows.csv --label paid --model-command 'sh by_shoe.sh' --model m.json -o two.ow
"$OTHERWISE" train rows.csv --model-command 'sh by_shoe.sh' -o two.ow

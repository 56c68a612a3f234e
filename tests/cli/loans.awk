# SPDX-License-Identifier: MIT
# A small table for tests: who gets a loan.  The same rows everywhere, without anything random:
#     awk -f loans.awk >loans.csv
function draw(n) { state = (state * 1103 + 12345) % 65536; return int(state / 7) % n }
BEGIN {
    state = 1
    split("none clerk craft", jobs, " ")
    print "name,age,job,income,debt,owns_home,loan"
    for (i = 1; i <= 240; i++) {
        job = draw(3); age = 20 + draw(45); owns = draw(3) == 0
        income = 12 + 9 * job + draw(20); debt = draw(30) + 4 * (job == 0)
        granted = income - debt + 8 * owns + draw(9) > 16
        printf "person %d,%d,%s,%d,%d,%s,%s\n", i, age, jobs[job + 1], income, debt, \
            owns ? "yes" : "no", granted ? "granted" : "refused"
    }
}

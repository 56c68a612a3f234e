# SPDX-License-Identifier: MIT
# Real tables for compare_logistic.py, from packages of R, written to the present folder as CSV:
#
#     apt-get install r-recommended r-cran-mlbench r-cran-modeldata r-cran-cardata r-cran-aer r-cran-kernlab r-cran-ggplot2
#     Rscript bench/write_tables.R
suppressMessages({
    library(MASS); library(survival); library(mlbench); library(carData); library(AER)
    library(modeldata); library(kernlab); library(ggplot2)
})
save_table <- function(rows, name) {
    write.csv(as.data.frame(rows), paste0(name, ".csv"), row.names = FALSE, na = "")
}

# ---- Numbers, some of them missing or coded ----
data(PimaIndiansDiabetes, PimaIndiansDiabetes2, Ionosphere, Sonar, Vehicle, Glass, HouseVotes84)
save_table(iris, "iris")
save_table(PimaIndiansDiabetes, "pima0")             # 0 stands for what was not measured
save_table(PimaIndiansDiabetes2, "pima2")            # that is missing
coded <- PimaIndiansDiabetes2
coded[is.na(coded)] <- -999                          # that is a code
save_table(coded, "pima999")
save_table(biopsy[, -1], "biopsy")
save_table(Ionosphere, "ionosphere")
save_table(Sonar, "sonar")
save_table(Vehicle, "vehicle")
save_table(Glass, "glass")
save_table(HouseVotes84, "votes")
data(cells, scat)
save_table(cells[, -1], "cells")
save_table(scat, "scat")

# ---- People ----
births <- birthwt[, -10]
births$low <- ifelse(births$low == 1, "low", "ok")
save_table(births, "birthwt")
liver <- pbc[, -c(1, 2)]
liver$status <- paste0("s", liver$status)
save_table(liver, "pbc")
bowel <- subset(colon, etype == 2)[, c("rx", "sex", "age", "obstruct", "perfor", "adhere", "nodes", "differ", "extent",
                                       "surg", "node4", "status")]
bowel$status <- ifelse(bowel$status == 1, "dead", "alive")
save_table(bowel, "colon")
chains <- flchain[, c("age", "sex", "sample.yr", "kappa", "lambda", "flc.grp", "creatinine", "mgus", "death")]
chains$death <- ifelse(chains$death == 1, "dead", "alive")
save_table(chains, "flchain")
data(HMDA, PSID1976, CreditCard, HealthInsurance, income)
save_table(TitanicSurvival, "titanic")
save_table(Chile, "chile")
save_table(BEPS, "beps")
save_table(HMDA, "hmda")
save_table(PSID1976[, c("participation", "youngkids", "oldkids", "age", "education", "hwage", "hage", "heducation", "tax",
                        "meducation", "feducation", "unemp", "city", "experience", "fincome")], "psid")
save_table(CreditCard[, -c(5, 6)], "creditcard")
save_table(HealthInsurance, "healthins")
save_table(income, "income")
data(credit_data, mlc_churn, wa_churn, attrition, penguins, stackoverflow, lending_club, package = "modeldata")
save_table(credit_data, "credit_data")
save_table(mlc_churn, "mlc_churn")
save_table(wa_churn, "wa_churn")
save_table(attrition, "attrition")
save_table(penguins, "penguins")
save_table(stackoverflow, "stackoverflow")
save_table(lending_club, "lending_club")

# ---- Many rows ----
set.seed(1)
stones <- as.data.frame(diamonds)[sample(nrow(diamonds), 45000), ]
stones$cut <- ifelse(stones$cut == "Ideal", "ideal", ifelse(stones$cut == "Premium", "premium", "other"))
save_table(stones, "diamonds")

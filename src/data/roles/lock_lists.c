/* SPDX-License-Identifier: MIT */
#include "data/roles/lock_lists.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

const char owi_person_words[] =
    "age ages aged agep agegroup agegrp agegp agegr agecat agecl ageclass ageband agerange "
    "ageyears ageyrs ageyr ageatdiag agesq mage fage dage momage dadage mthage fthage "
    "motherage fatherage chldage childage patage yob dob qob elderly mrace frace drace "
    "sex sx gender gend gndr female fem male woman women girl boy transgender sexuality "
    "race racial ethnicity ethnic ethn eth hispanic latino latina latinx hisp asian black "
    "nonwhite caucasian indigenous aboriginal minority minrty caste tribe tribal ancestry "
    "raceth raceeth ethrace african afam native nonnative indig "
    "nationality citizenship citizen immigrant immig immigr migrant foreigner refugee "
    "religion relig catholic protestant muslim jewish hindu "
    "birth birthday birthdate birthplace birthyear birthyr bday bdate byear dob born "
    "firstborn bweight birthwt birthord "
    "marital married maried marry marr marriage maritl marstat mstatus unmarried widow "
    "widower widowed divorced divorce cohab cohabiting "
    "pregnant pregnancies pregnancy parity gravida gravidity menopause menopausal menarche "
    "meno menostat nulliparous multiparous primiparous "
    "disability disabled disab handicap handicapped veteran military siblings sibling sibs "
    "nsibs twin orphan adopted handedness handed breed "
    "inherit inherited inheritance hereditary congenital genotype "
    "mutation mutations mutant mutated allele alleles karyotype "
    "gay lesbian bisexual homosexual heterosexual lgbt lgbtq "
    "mother father mothers fathers maternal paternal parental parents "
    /* German */
    "alter lebensalter eintrittsalter altersgruppe geschlecht anrede ethnie herkunft "
    "abstammung hautfarbe migrationshintergrund gastarb gastarbeiter muttersprache "
    "weiblich männlich maennlich ledig geschieden verwitwet jahrgang altersklasse geb "
    "staatsangehoerigkeit staatsangehörigkeit staatsbürgerschaft staatsbuergerschaft "
    "nationalitaet nationalität konfession religionszugehörigkeit "
    "familienstand zivilstand famges famstand verheiratet schwanger schwangerschaften "
    "behinderung behindert schwerbehinderung mutter vater eltern geschwister "
    /* Spanish, Portuguese, French, Italian, Dutch */
    "edad idade âge età leeftijd sexo sexe sesso geslacht género gênero raza raça raca "
    "etnia nacimiento nascimento naissance nascita geboorte geboortedatum geboortejaar "
    "nacionalidad nacionalidade nationalité nationalite nazionalità nazionalita "
    "nationaliteit religión religião religione godsdienst casado casada soltero marié "
    "mariée célibataire celibataire embarazada embarazo gravidez enceinte discapacidad";

const char owi_past_words[] =
    "history hist hx fhx pmh since tenure previous previously prev prior priors former "
    "formerly preexisting convictions conviction convicted arrests arrested offenses "
    "offences felony felonies misdemeanor misdemeanors misdemeanour incarcerated "
    "incarceration juvenile juv dui duis dwi "
    "bankruptcy bankruptcies bankrupt foreclosure foreclosures experience "
    "exper yrsexp yrexp workexp wrkexp wkexp wexp expyrs expyr seniority recency onset "
    "diagyr diagtime yrdiag diagdate dxyear prevalent famhist earliest oldest "
    "packyears comorbidity comorbidities joined doj hired "
    "vintage hospitalizations hospitalisations readmissions pdays poutcome "
    "seit historie vorgeschichte vorerkrankung vorerkrankungen vorstrafe vorstrafen "
    "vorschäden vorschaeden vorbesitzer wohnzeit wohndauer moral berufserfahrung "
    "dienstjahre dienstalter betriebszugehörigkeit betriebszugehoerigkeit baujahr früher "
    "frühere fruehere ehemalig ehemalige vorherige vorjahr schadenfrei schadenfreie "
    "eintrittsdatum insolvenz insolvenzen erstzulassung "
    "antigüedad antiguedad ancienneté anciennete anzianità antecedentes antécédents "
    "timestamp datetime epochtime unixtime "
    "historial experiencia expérience experiência";

/* The censuses of the USA (PUMS, IPUMS, CPS), health surveys (NHANES, NHIS, BRFSS), the
 * European Social Survey, SOEP, tables of clinical trials (ADaM). */
const char owi_survey_codes[] =
    "rac1p racblk racwht pobp anc1p hispan marst bpl yrimmig nativity agea gndr yrbrn "
    "brncntr ctzcntr rlgblg maritalb prtage pesex ptdtrace pemaritl prcitshp penatvty "
    "ridageyr ridagemn riagendr ridreth1 ridreth3 dmdmartl dmdborn4 dmdcitzn sexvar "
    "ageg5yr hispanc3 gebjahr migback famstd aage aagegr agegr racen sexn ethnicn brthdtc";

const char owi_lone_words[] = "white single separated mar ts";

const char owi_long_words[] =
    "gender female ethnic ethnicity hispanic black caucasian minority marital married "
    "widowed divorced pregnant pregnancy pregnancies birth birthday religion immigrant "
    "nationality citizenship veteran disability disabled maternal paternal siblings "
    "ancestry indigenous aboriginal previous experience tenure conviction convictions "
    "bankruptcy familienstand geschlecht";
const char owi_clipped_words[] =
    "ethnicity hispanic caucasian married widowed divorced pregnancy religion immigrant "
    "veteran disability disabled convictions bankruptcy aboriginal indigenous tenure "
    "marital gender female birthday familienstand geschlecht";

const char owi_stems[] =
    "marital gender ethnic nationality birth brth history pregnan religion geburt "
    "geschlecht vorstraf staatsangeh convicted experience married hispanic immigra "
    "bankrupt divorc widow tenure matrimon herkunft abstammung";
const char owi_beginnings[] =
    "age hisp prior prev menopaus gravid comorbid juvenile migrationshint betriebszugeh "
    "vorerkrank "
    "vorschad vorschäd vorschaed vordiagn vorbehandl vorversicher vorbesitz vorhalter";
const char owi_other_beginnings[] =
    "agen agerat hispid priorit preven preval previe previs birthcontrol";
const char owi_endings[] =
    "exper expersq tenursq famhist hx born prior alter erfahrung seit "
    "zugehörigkeit zugehoerigkeit";
const char owi_other_endings[] = "halter walter falter";

const char *const owi_locked_pairs[][2] = {{"personal", "status"},
                                           {"family", "status"},
                                           {"relationship", "status"},
                                           {"rel", "status"},
                                           {"civil", "status"},
                                           {"estado", "civil"},
                                           {"etat", "civil"},
                                           {"état", "civil"},
                                           {"stato", "civile"},
                                           {"burgerlijke", "staat"},
                                           {"foreign", "worker"},
                                           {"foreign", "born"},
                                           {"native", "country"},
                                           {"native", "language"},
                                           {"first", "language"},
                                           {"home", "language"},
                                           {"mother", "tongue"},
                                           {"country", "birth"},
                                           {"country", "origin"},
                                           {"senior", "citizen"},
                                           {"sexual", "orientation"},
                                           {"skin", "color"},
                                           {"skin", "colour"},
                                           {"skin", "tone"},
                                           {"blood", "type"},
                                           {"blood", "group"},
                                           {"how", "old"},
                                           {"years", "old"},
                                           {"year", "built"},
                                           {"years", "built"},
                                           {"built", "year"},
                                           {"construction", "year"},
                                           {"year", "construction"},
                                           {"production", "year"},
                                           {"manufacture", "year"},
                                           {"manufacturing", "year"},
                                           {"first", "gen"},
                                           {"first", "generation"},
                                           {"model", "year"},
                                           {"years", "at"},
                                           {"years", "with"},
                                           {"years", "in"},
                                           {"months", "at"},
                                           {"months", "with"},
                                           {"time", "at"},
                                           {"time", "in"},
                                           {"time", "with"},
                                           {"working", "years"},
                                           {"year", "of"},
                                           {"service", "time"},
                                           {"length", "service"},
                                           {"account", "length"},
                                           {"past", "due"},
                                           {"companies", "worked"},
                                           {"months", "ago"},
                                           {"days", "ago"},
                                           {"years", "ago"},
                                           {"years", "exp"},
                                           {"exp", "years"},
                                           {"work", "exp"},
                                           {"job", "exp"},
                                           {"on", "book"},
                                           {"on", "books"},
                                           {"eye", "color"},
                                           {"eye", "colour"},
                                           {"most", "recent"},
                                           {"criminal", "record"},
                                           {"public", "record"},
                                           {"public", "records"},
                                           {"pub", "rec"}};
const size_t owi_n_locked_pairs = COUNT(owi_locked_pairs);

/* Short forms of units of time, which pairs have as whole words. */
const char *const owi_short_forms[][2] = {{"yr", "years"},   {"yrs", "years"},
                                          {"mth", "months"}, {"mths", "months"},
                                          {"mo", "months"},  {"mos", "months"}};
const size_t owi_n_short_forms = COUNT(owi_short_forms);

const char owi_heads[] = "age race sex exper hisp black blck blk white whte marr married "
                         "onset tenure ethn eth gender birth born prior";
const char owi_before_heads[] =
    "mom mother mth dad father fth kid kids child chld baby hus husb husband wife wif "
    "spouse partner client resp head hh pat patient emp employee worker wrk work own owner "
    "customer cust driver applicant borrower person user student subject donor member "
    "teacher player vehicle house first last cur current base tot total ttl yr yrs year "
    "years n nr no num log ln l non other oth";
const char owi_behind_heads[] = "sq squared cb cubed gr grp group groups cat class cl band "
                                "range yr yrs year years mth mths mo months days cont code "
                                "num log bin std z f m";
/* Heads that no letter in front makes another word of. */
const char owi_long_heads[] = "exper hisp black blck blk white whte married gender birth "
                              "born agesq expersq";
const char owi_before_long_heads[] = "m f d p h w s";

const char owi_count_words[] = "num number nb n count cnt times no total tot past ever "
                               "lifetime anzahl zahl";
const char owi_event_words[] =
    "arrest crimes accident accidents claims collisions violations violation delinquency "
    "delinquencies delinq default defaults foreclosures late missed overdue admission "
    "admissions hospitalization inpatient outpatient emergency visits visit surgeries "
    "surgery operations "
    "episodes seizures relapses recurrences failures failed absences complaints "
    "miscarriages abortions births marriages divorces owners disciplinary "
    "schäden schaeden unfälle unfaelle mahnungen verspätungen kündigungen arztbesuche "
    "operationen geburten ehen fehltage";

const char owi_beginning_words[] =
    "phd degree graduation graduated grad admission admitted accepted accept arrival "
    "arrived hire hired joined joining began diagnosis diagnosed diag dx onset purchase "
    "purchased bought built manufactured manufacture mfg production registration reg "
    "registered opened founded established surgery operation licence license licensed "
    "entry entered enrolled enrollment enrolment immigration appointed appointment";
const char owi_contact_words[] =
    "contact contacted purchase purchased bought visit visited login logon seen donation "
    "donated gift order ordered transaction activity active payment paid date response "
    "resp responded claim promotion promoted raise review evaluation exam checkup kontakt "
    "kauf bestellung besuch "
    "zahlung anmeldung "
    "conviction arrest treatment surgery pregnancy birth intercourse job employer delinq "
    "delinquency default trade inquiry campaign call called email";
const char owi_lasting_words[] =
    "smoke smoked smoking smoker smk marr married marriage work worked wrk service serv "
    "serving job firm teach teaching coach residence resident licensed licence license "
    "member membership driving practice practising pack together insured";
const char owi_share_words[] =
    "frac fraction pct percent perc share prop proportion rate ratio median mean avg "
    "average medianhh attitude attitudes control";
const char owi_group_words[] =
    "black white hispanic hisp latino latina asian african native indigenous minority "
    "female male women woman immigrant immig immigr foreigner marriage married divorce "
    "divorced birth widowed veteran disabled catholic protestant muslim jewish";

const char owi_doubtful_words[] =
    "late ever years year dependents dependants children kids education delinq delinquent "
    "delinquencies employed past failures delays defaults origin country default "
    "relationship disciplinary emergency inpatient visits claims accidents absences "
    "overdue arrears kinder bisher mahnungen verspätungen unfälle schäden jahre beszeit "
    "exp nation language diagnosis";

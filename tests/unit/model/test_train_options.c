/* SPDX-License-Identifier: MIT */
/* The table of training's options: defaults, values as text, and what is refused. */
#include "otherwise/model.h"
#include "support/ow_test.h"

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    const ow_train_options o = ow_test_train_defaults();
    assert_ok(ow_train_options_check(&o));
    assert_int_equal(o.leaves, OW_LEAVES_AUTO);
    assert_int_equal(o.prior, OW_PRIOR_AUTO);
    assert_int_equal(o.learner, OW_LEARN_EM);
    assert_true(o.variance == OW_AUTO && o.discriminative == OW_AUTO);
    assert_true(o.towards_rows == OW_AUTO && o.test_share == 0.2);
    assert_true(o.depth == OW_AUTO && o.repetitions == OW_AUTO && o.sums == OW_AUTO);
    assert_true(o.inputs == OW_AUTO && o.passes == OW_AUTO && o.batch == OW_AUTO);
    assert_true(o.hidden.n == 0 && o.is_test == NULL && o.backend == NULL);
}

/* Every option that has a default can be set to it, and described ones have a help line. */
static void every_option_takes_its_own_default(void **state)
{
    (void)state;
    size_t n = 0;
    for (const ow_param *param; (param = ow_train_option_get(n)) != NULL; n++) {
        ow_train_options o = ow_test_train_defaults();
        assert_true(strlen(param->summary) > 0);
        assert_true(param->summary[strlen(param->summary) - 1] != '.');
        if (param->initial == NULL) continue;
        const ow_train_options before = o;
        assert_ok(ow_train_options_set(&o, param->name, param->initial));
        assert_memory_equal(&o, &before, sizeof o);
    }
    assert_int_equal(n, 18);
}

static void values_of_every_kind(void **state)
{
    (void)state;
    ow_train_options o = ow_test_train_defaults();
    assert_ok(ow_train_options_set(&o, "leaf", "gaussian"));
    assert_ok(ow_train_options_set(&o, "split-groups", "yes"));
    assert_ok(ow_train_options_set(&o, "variance", "learned"));
    assert_ok(ow_train_options_set(&o, "circuit", "shared"));
    assert_ok(ow_train_options_set(&o, "structure", "tree"));
    assert_ok(ow_train_options_set(&o, "prior", "empirical"));
    assert_ok(ow_train_options_set(&o, "depth", "2"));
    assert_ok(ow_train_options_set(&o, "learner", "adam"));
    assert_ok(ow_train_options_set(&o, "epochs", "1e2"));
    assert_ok(ow_train_options_set(&o, "batch", "0"));
    assert_ok(ow_train_options_set(&o, "discriminative", "0.5"));
    assert_ok(ow_train_options_set(&o, "classifier", "mlp"));
    assert_ok(ow_train_options_set(&o, "hidden", "32,16,8"));
    assert_ok(ow_train_options_check(&o));
    assert_true(o.leaves == OW_LEAVES_GAUSSIAN && o.split_groups);
    assert_true(o.variance == 0.0 && o.structure == OW_STRUCTURE_SHARED);
    assert_int_equal(o.regions, OW_REGIONS_TREE);
    assert_true(o.prior == OW_PRIOR_EMPIRICAL && o.learner == OW_LEARN_ADAM);
    assert_true(o.depth == 2 && o.passes == 100 && o.batch == 0);
    assert_true(o.discriminative == 0.5 && o.decider == OW_DECIDES_MLP);
    assert_true(o.hidden.n == 3 && o.hidden.size[0] == 32 && o.hidden.size[2] == 8);
    assert_ok(ow_train_options_set(&o, "variance", "0.5"));
    assert_true(o.variance == 0.5);
    assert_ok(ow_train_options_set(&o, "depth", "auto"));
    assert_true(o.depth == OW_AUTO);
}

static void what_cannot_be_is_named_and_changes_nothing(void **state)
{
    (void)state;
    ow_train_options o = ow_test_train_defaults();
    const ow_train_options before = o;
    assert_fails(ow_train_options_set(&o, "dephth", "2"), OW_ERR_ARGUMENT,
                 "there is no training option \"dephth\"; did you mean \"depth\"?");
    assert_fails(ow_train_options_set(&o, "depth", "2.5"), OW_ERR_ARGUMENT,
                 "depth: expected a whole number from 0 to 31, or auto, got \"2.5\"");
    assert_fails(ow_train_options_set(&o, "variance", "0"), OW_ERR_ARGUMENT,
                 "variance: expected a number from 1e-6 to 1000000, learned or auto, got");
    assert_fails(ow_train_options_set(&o, "leaf", "gausian"), OW_ERR_ARGUMENT,
                 "leaf: expected one of auto, gaussian, got \"gausian\"; did you mean "
                 "\"gaussian\"?");
    assert_fails(ow_train_options_set(&o, "hidden", "64,"), OW_ERR_ARGUMENT, "got \"64,\"");
    assert_fails(ow_train_options_set(&o, "hidden", "64,0"), OW_ERR_ARGUMENT,
                 "hidden: expected whole numbers from 1 to 65536, as in 64,64, got");
    assert_fails(ow_train_options_set(&o, "hidden", "1,2,3,4,5,6,7,8"), OW_ERR_ARGUMENT,
                 "hidden: expected up to 7 numbers");
    assert_memory_equal(&o, &before, sizeof o);
}

/* Fields that a program fills in itself. */
static void fields_out_of_range_are_refused_before_training(void **state)
{
    (void)state;
    ow_train_options o = ow_test_train_defaults();
    o.depth = 32;
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT,
                 "depth: expected a whole number");
    o.depth = -2;
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT, "got \"-2\"");
    o = ow_test_train_defaults();
    o.test_share = 1.0;
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT,
                 "test-share: expected a number from");
    o.test_share = NAN;
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT, "got \"nan\"");
    o = ow_test_train_defaults();
    o.structure = (ow_structure)7;
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT,
                 "circuit: expected one of per-class, shared, got \"7\"");
    o = ow_test_train_defaults();
    o.hidden = (ow_sizes){2, {64, 0}};
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT,
                 "hidden: expected whole numbers");
    o.hidden.size[1] = 64;
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT,
                 "hidden needs classifier mlp");
    o.hidden.n = 8;
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT, "hidden: expected");
    o = ow_test_train_defaults();
    o.split_groups = true;
    assert_fails(ow_train_options_check(&o), OW_ERR_ARGUMENT,
                 "split-groups needs leaf gaussian");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(every_option_takes_its_own_default),
        cmocka_unit_test(values_of_every_kind),
        cmocka_unit_test(what_cannot_be_is_named_and_changes_nothing),
        cmocka_unit_test(fields_out_of_range_are_refused_before_training),
    };
    return cmocka_run_group_tests_name("model/train_options", tests, NULL, NULL);
}

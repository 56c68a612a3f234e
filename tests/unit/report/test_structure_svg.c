/* SPDX-License-Identifier: MIT */
/* The picture of a circuit: well-formed, with what is drawn named and what is not
 * counted. */
#include "otherwise/report.h"
#include "support/ow_test.h"

/* A model of two columns with awkward names and this many classes. */
static ow_model *model_of(ow_context *ctx, size_t n_classes,
                          const ow_train_options *options)
{
    static char text[16384];
    size_t length =
        (size_t)snprintf(text, sizeof text, "a<b,\"x & \"\"y\"\"\",third,class\n");
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    for (size_t i = 0; i < 20 * n_classes; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%zu,%zu,%s,c%zu\n",
                                   i * 7 % 50, i * i % 31, i % 3 != 0 ? "red" : "blue",
                                   i % n_classes);
    assert_ok(ow_reader_open_memory(ctx, text, length, "rows.csv", NULL, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "class"},
        NULL, &schema));
    assert_ok(ow_model_train(reader, schema, options, NULL, &model));
    ow_schema_free(schema);
    ow_reader_free(reader);
    return model;
}

static ow_train_options quick(size_t depth, ow_structure structure)
{
    ow_train_options options = ow_test_train_defaults();
    options.leaves = OW_LEAVES_GAUSSIAN;
    options.depth = (int64_t)depth;
    options.structure = structure;
    options.passes = 1;
    return options;
}

/* Every element is closed by its own end, and no text holds a bare < or &. */
static void assert_well_formed(const char *svg)
{
    char open[16][16];
    size_t depth = 0;
    for (const char *at = strchr(svg, '<'); at != NULL; at = strchr(at + 1, '<')) {
        const char *end = strchr(at, '>');
        char name[16] = "";
        assert_non_null(end);
        assert_null(memchr(at + 1, '<', (size_t)(end - at - 1)));
        sscanf(at[1] == '/' ? at + 2 : at + 1, "%15[a-z]", name);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < 16);
            strcpy(open[depth++], name);
        }
    }
    assert_int_equal(depth, 0);
    for (const char *at = strchr(svg, '&'); at != NULL; at = strchr(at + 1, '&'))
        assert_true(strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 ||
                    strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&quot;", 6) == 0);
}

static char *picture(ow_context *ctx, size_t n_classes, size_t depth,
                     ow_structure structure)
{
    const ow_train_options options = quick(depth, structure);
    ow_model *model = model_of(ctx, n_classes, &options);
    char *svg = NULL;
    assert_ok(ow_report_structure(model, &svg));
    ow_model_free(model);
    assert_well_formed(svg);
    return svg;
}

static void names_and_priors_are_in_it(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char *svg = picture(ctx, 2, 1, OW_STRUCTURE_PER_CLASS);
    assert_non_null(strstr(svg, ">a&lt;b<"));
    assert_non_null(strstr(svg, ">x &amp; &quot;y&quot;<"));
    assert_non_null(strstr(svg, ">c0<"));
    assert_non_null(strstr(svg, ">c1<"));
    assert_non_null(strstr(svg, "P = 0.500"));
    assert_non_null(strstr(svg, "20 inputs"));
    ow_bytes_free(svg);
}

static void what_is_not_drawn_is_counted(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char *svg = picture(ctx, 8, 1, OW_STRUCTURE_PER_CLASS);
    assert_non_null(strstr(svg, "and 17 more</text>")); /* of 19 repetitions */
    assert_non_null(strstr(svg, "and 3 more</text>"));  /* of 8 classes      */
    assert_non_null(strstr(svg, "sub-circuit, alike"));
    ow_bytes_free(svg);
    svg = picture(ctx, 8, 1, OW_STRUCTURE_SHARED);
    assert_null(strstr(svg, "sub-circuit, alike"));
    ow_bytes_free(svg);
}

static void every_depth_can_be_drawn(void **state)
{
    ow_context *ctx = ow_test_context(state);
    for (size_t depth = 0; depth <= 1; depth++)
        for (int structure = 0; structure < 2; structure++) {
            char *svg = picture(ctx, 3, depth, (ow_structure)structure);
            assert_true((strstr(svg, "repetition 1<") != NULL) == (depth > 0));
            ow_bytes_free(svg);
        }
}

/* 40 columns, so that depth 5 is possible: the picture stops at 3 and says so. */
static void deep_circuits_are_cut(void **state)
{
    ow_context *ctx = ow_test_context(state);
    char rows[8192];
    size_t length = 0;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 40; j++)
            length +=
                (size_t)snprintf(rows + length, sizeof rows - length, "%d,", (i * j) % 17);
        length += (size_t)snprintf(rows + length, sizeof rows - length, "%s\n",
                                   i % 2 != 0 ? "odd" : "even");
    }
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    char *svg = NULL;
    ow_train_options options = quick(5, OW_STRUCTURE_SHARED);
    options.test_share = 0.0;
    options.repetitions = options.inputs = options.sums = 2;
    assert_ok(ow_reader_open_memory(
        ctx, rows, length, "rows.csv",
        &(ow_read_options){.size = sizeof(ow_read_options), .no_header = true}, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "x40"}, NULL,
        &schema));
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    assert_ok(ow_report_structure(model, &svg));
    assert_well_formed(svg);
    assert_non_null(strstr(svg, "halved 2 more times"));
    assert_null(strstr(svg, ">2 inputs<"));
    ow_bytes_free(svg);
    ow_model_free(model);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

/* A box for every column of each tree, and a line to every one but the root. */
static void trees_are_drawn_with_the_names_of_columns(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_train_options options = quick(0, OW_STRUCTURE_PER_CLASS);
    options.leaves = OW_LEAVES_AUTO;
    options.regions = OW_REGIONS_TREE;
    options.repetitions = 2;
    options.inputs = 3;
    ow_model *model = model_of(ctx, 2, &options);
    char *svg = NULL;
    size_t n_edges = 0;
    assert_ok(ow_report_structure(model, &svg));
    assert_well_formed(svg);
    assert_non_null(strstr(svg, ">a&lt;b<"));
    assert_non_null(strstr(svg, ">x &amp; &quot;y&quot;<"));
    assert_non_null(strstr(svg, ">third<"));
    assert_non_null(strstr(svg, ">Tree 2<"));
    assert_non_null(strstr(svg, "3 hidden states"));
    for (const char *at = strstr(svg, "<path"); at != NULL; at = strstr(at + 1, "<path"))
        n_edges++;
    assert_int_equal(n_edges, 2 * 2);
    ow_bytes_free(svg);
    ow_model_free(model);
}

static ow_status draw_imported(ow_context *ctx, void *user)
{
    ow_model *model = NULL;
    char *svg = NULL;
    (void)user;
    ow_status status = ow_model_load(ctx, ow_test_path("small.ow", 0), NULL, &model);
    if (status == OW_OK) status = ow_report_structure(model, &svg);
    ow_bytes_free(svg);
    ow_model_free(model);
    return status;
}

static void running_out_of_memory_anywhere_is_clean(void **state)
{
    (void)state;
    ow_context *ctx = NULL;
    ow_model *model = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    assert_ok(ow_model_import(ctx, "tests/golden/circuits/a_d4_D1.json", NULL, &model));
    assert_ok(ow_model_save(model, ow_test_path("small.ow", 0)));
    ow_model_free(model);
    ow_context_free(ctx);
    ow_test_sweep(draw_imported, NULL);
}

static void a_file_is_written_with_the_same_text(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_model *model = NULL;
    char *svg = NULL;
    size_t size;
    assert_ok(ow_model_import(ctx, "tests/golden/circuits/b_d8_D2.json", NULL, &model));
    assert_ok(ow_report_structure(model, &svg));
    assert_ok(ow_report_structure_save(model, ow_test_path("structure.svg", 1)));
    char *written = ow_test_read_file(ow_test_path("structure.svg", 1), &size);
    assert_int_equal(size, strlen(svg));
    assert_memory_equal(written, svg, size);
    free(written);
    ow_bytes_free(svg);
    ow_model_free(model);
}

/* Where total = price * pieces, one of the three is no node of the tree. */
static void what_follows_stands_below_the_tree(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static char text[1 << 15];
    size_t length =
        (size_t)snprintf(text, sizeof text, "price,weight,pieces,total,class\n");
    for (int i = 0; i < 400; i++) {
        const double price = 1.0 + i * 37 % 101 / 8.0, pieces = 3.0 + i * 53 % 89 / 4.0;
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%.3f,%d,%.2f,%.5f,%s\n", price, i * i % 97, pieces,
                                   price * pieces, i % 3 != 0 ? "in" : "out");
    }
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_model *model = NULL;
    char *svg = NULL;
    ow_train_options options = ow_test_train_defaults();
    options.regions = OW_REGIONS_TREE;
    options.inputs = 2;
    options.passes = 1;
    assert_ok(ow_reader_open_memory(ctx, text, length, "rows.csv", NULL, &reader));
    assert_ok(ow_schema_infer(
        reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "class"},
        NULL, &schema));
    assert_ok(ow_model_train(reader, schema, &options, NULL, &model));
    assert_ok(ow_report_structure(model, &svg));
    assert_well_formed(svg);
    const char *below = strstr(svg, ">Numbers that follow from others<");
    assert_non_null(below);
    assert_non_null(strstr(below, ">from "));
    assert_non_null(strstr(below, " and "));
    /* The one that follows is named once as a box; all others are nodes above. */
    static const char *const names[] = {">price<", ">weight<", ">pieces<", ">total<"};
    size_t n_below = 0;
    for (size_t i = 0; i < 4; i++) {
        const char *box = strstr(svg, names[i]);
        assert_non_null(box);
        n_below += box > below;
    }
    assert_int_equal(n_below, 1);
    ow_bytes_free(svg);
    ow_model_free(model);
    ow_schema_free(schema);
    ow_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(names_and_priors_are_in_it),
        ow_test_on_heap(what_is_not_drawn_is_counted),
        ow_test_on_heap(every_depth_can_be_drawn),
        ow_test_on_heap(deep_circuits_are_cut),
        ow_test_on_heap(trees_are_drawn_with_the_names_of_columns),
        ow_test_on_heap(what_follows_stands_below_the_tree),
        ow_test_on_heap(a_file_is_written_with_the_same_text),
        cmocka_unit_test(running_out_of_memory_anywhere_is_clean),
    };
    return cmocka_run_group_tests_name("report/structure_svg", tests, NULL, NULL);
}

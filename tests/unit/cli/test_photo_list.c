/* SPDX-License-Identifier: MIT */
/* The lists of photographs: the published one, and one of paths. */
#include "support/ow_test.h"

#include <unistd.h>

#include "reproduce/birds/photo_list.h"

static const char published[] =
    "image_id\tclass_id\tclass_name\tis_train\twidth\theight\tbbox_x\tbbox_y\tbbox_w\tbbox_"
    "h\tpath\n"
    "7\t5\t005.Crested_Auklet\t1\t500\t300\t1.5\t2\t30\t40.25\timages/a.jpg\n"
    "8\t6\tGull\t0\t500\t300\t0\t0\t9\t9\timages/b b.jpg\r\n";

/* What a list says on standard error goes to a file, and what it returns comes back. */
static ow_status read_quietly(bool is_published, const char *path, photo_list *list,
                              char **said)
{
    const char *log = ow_test_path("said", 7);
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    assert_true(before >= 0 && freopen(log, "w", stderr) != NULL);
    const ow_status status =
        is_published ? photo_list_read_published(path, list) : photo_list_read(path, list);
    fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    size_t size;
    if (said != NULL) *said = ow_test_read_file(log, &size);
    return status;
}

/* The folder that the list is written to as subset.tsv. */
static const char *write_published(const char *text, size_t size)
{
    static char folder[4096];
    const char *path = ow_test_path("subset.tsv", 0);
    ow_test_write_file(path, text, size);
    snprintf(folder, sizeof folder, "%.*s", (int)(strlen(path) - strlen("/subset.tsv")),
             path);
    return folder;
}

static void published_photographs_have_a_path_a_class_and_a_box(void **state)
{
    (void)state;
    photo_list list;
    char path[4200];
    const double box[4] = {1.5, 2.0, 30.0, 40.25};
    const char *folder = write_published(published, strlen(published));
    assert_ok(photo_list_read_published(folder, &list));
    assert_int_equal(list.n, 2);
    snprintf(path, sizeof path, "%s/images/a.jpg", folder);
    assert_string_equal(list.photos[0].path, path);
    assert_string_equal(list.photos[0].class_name,
                        "Crested_Auklet"); /* without its number */
    assert_true(list.photos[0].has_box);
    assert_close(list.photos[0].box, box, 4, 0.0);
    snprintf(path, sizeof path, "%s/images/b b.jpg", folder);
    assert_string_equal(list.photos[1].path, path);
    assert_string_equal(list.photos[1].class_name, "Gull");
    photo_list_clear(&list);
    assert_int_equal(list.n, 0);
}

static void a_list_of_paths_has_one_for_each_line_that_is_not_empty(void **state)
{
    (void)state;
    static const char text[] = "one.jpg\r\n\ntwo words.jpg\nlast";
    photo_list list;
    const char *path = ow_test_path("paths", 1);
    ow_test_write_file(path, text, strlen(text));
    assert_ok(photo_list_read(path, &list));
    assert_int_equal(list.n, 3);
    assert_string_equal(list.photos[0].path, "one.jpg");
    assert_string_equal(list.photos[1].path, "two words.jpg");
    assert_string_equal(list.photos[2].path, "last");
    assert_null(list.photos[0].class_name);
    assert_false(list.photos[0].has_box);
    photo_list_clear(&list);
}

static void a_line_that_is_not_as_described_is_named(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "7\t5\tGull\t1\t500\t300\t1\t2\t3\t4",               /* a field too few  */
        "7\t5\tGull\t1\t500\t300\t1\t2\t3\t4\ta.jpg\tb.jpg", /* a field too many */
        "7\t5\tGull\t1\t500\t300\t1\ttwo\t3\t4\ta.jpg",
        "7\t5\tGull\t1\t500\t300\t1\t\t3\t4\ta.jpg",
        "",
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        char text[1024], *said = NULL;
        photo_list list;
        const int n = snprintf(text, sizeof text, "%s%s\n", published, lines[k]);
        const char *folder = write_published(text, (size_t)n);
        assert_int_equal(read_quietly(true, folder, &list, &said), OW_ERR_FORMAT);
        assert_non_null(strstr(said, "subset.tsv, line 4: 11 fields"));
        assert_int_equal(list.n, 0);
        free(said);
    }
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    photo_list list;
    char *said = NULL;
    assert_int_equal(read_quietly(false, ow_test_path("nowhere", 2), &list, &said),
                     OW_ERR_IO);
    assert_non_null(strstr(said, "nowhere: No such file"));
    assert_int_equal(list.n, 0);
    free(said);
}

/* Whole lines are read, and half a line is named. */
static void a_list_that_ends_anywhere_is_read_or_refused(void **state)
{
    (void)state;
    for (size_t size = 0; size < strlen(published); size++) {
        photo_list list;
        const ow_status status =
            read_quietly(true, write_published(published, size), &list, NULL);
        assert_true(status == OW_OK || status == OW_ERR_FORMAT);
        if (status != OW_OK) assert_int_equal(list.n, 0);
        photo_list_clear(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_photographs_have_a_path_a_class_and_a_box),
        cmocka_unit_test(a_list_of_paths_has_one_for_each_line_that_is_not_empty),
        cmocka_unit_test(a_line_that_is_not_as_described_is_named),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
        cmocka_unit_test(a_list_that_ends_anywhere_is_read_or_refused),
    };
    return cmocka_run_group_tests_name("cli/photo_list", tests, NULL, NULL);
}

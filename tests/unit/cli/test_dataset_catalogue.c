/* SPDX-License-Identifier: MIT */
/* The known data sets, and telling their files from others. */
#include <sys/resource.h>
#include <unistd.h>

#include "datasets/dataset_catalogue.h"
#include "support/ow_test.h"

/* FIPS 180-2's example: the sum of the three bytes "abc". */
static const dataset_file abc[] = {
    {"abc.txt", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
};

typedef struct {
    const char *path;  /* of abc.txt */
    char folder[1024]; /* above set.name */
    char name[1024];
    dataset set;
} fixture;

/* The folder of the test's files plays the data set's; its parent is where sets are
 * kept. */
static int set_up(void **state)
{
    static fixture f;
    f.path = ow_test_path("abc.txt", 0);
    snprintf(f.folder, sizeof f.folder, "%s", f.path);
    *strrchr(f.folder, '/') = '\0';
    snprintf(f.name, sizeof f.name, "%s", strrchr(f.folder, '/') + 1);
    *strrchr(f.folder, '/') = '\0';
    f.set = (dataset){f.name, "three letters", "nobody", "none", 1, abc, NULL, NULL};
    *state = &f;
    return 0;
}

static file_state check(const fixture *f, bool check_sum)
{
    file_state found = FILE_ABSENT;
    assert_ok(dataset_check_file(&f->set, 0, f->folder, check_sum, &found));
    return found;
}

static void the_four_sets_stand_in_their_order(void **state)
{
    (void)state;
    const char *names[] = {"mnist", "credit", "adult", "cub"};
    const size_t n_files[] = {4, 2, 3, 8};
    for (size_t i = 0; i < 4; i++) {
        const dataset *set = dataset_get(i);
        assert_string_equal(set->name, names[i]);
        assert_int_equal(set->n_files, n_files[i]);
        assert_true(strlen(set->title) > 0 && strlen(set->publisher) > 0);
        assert_true(strlen(set->licence) > 0);
        for (size_t k = 0; k < set->n_files; k++) {
            assert_true(set->files[k].size > 0);
            assert_int_equal(strlen(set->files[k].sha256), 64);
            assert_int_equal(strspn(set->files[k].sha256, "0123456789abcdef"), 64);
        }
    }
    assert_null(dataset_get(4));
    assert_null(dataset_get(SIZE_MAX));
}

static void a_file_is_present_absent_or_different(void **state)
{
    const fixture *f = *state;
    assert_int_equal(check(f, true), FILE_ABSENT);
    ow_test_write_file(f->path, "abc", 3);
    assert_int_equal(check(f, false), FILE_PRESENT);
    assert_int_equal(check(f, true), FILE_PRESENT);
    ow_test_write_file(f->path, "abd", 3);
    assert_int_equal(check(f, false), FILE_PRESENT); /* nobody looked inside */
    assert_int_equal(check(f, true), FILE_DIFFERENT);
    ow_test_write_file(f->path, "abcd", 4);
    assert_int_equal(check(f, false), FILE_DIFFERENT);
}

static void a_folder_in_the_files_place_is_different(void **state)
{
    const fixture *f = *state;
    const dataset_file folder[] = {{".", 4096, abc[0].sha256}};
    const dataset set = {f->name, "", "", "", 1, folder, NULL, NULL};
    file_state found = FILE_ABSENT;
    assert_ok(dataset_check_file(&set, 0, f->folder, false, &found));
    assert_int_equal(found, FILE_DIFFERENT);
}

static void a_set_whose_folder_is_a_file_is_absent(void **state)
{
    const fixture *f = *state;
    file_state found = FILE_PRESENT;
    ow_test_write_file(f->path, "abc", 3);
    assert_ok(dataset_check_file(&f->set, 0, f->path, true, &found));
    assert_int_equal(found, FILE_ABSENT);
}

static void what_the_file_system_refuses_is_an_error(void **state)
{
    const fixture *f = *state;
    file_state found;
    char long_name[6000];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_fails(dataset_check_file(&f->set, 0, long_name, true, &found), OW_ERR_IO,
                 "cannot look at xxxx");

    /* A file that can be opened but not read. */
    const dataset_file memory[] = {{"mem", 0, abc[0].sha256}};
    const dataset self = {"self", "", "", "", 1, memory, NULL, NULL};
    if (access("/proc/self/mem", R_OK) == 0)
        assert_fails(dataset_check_file(&self, 0, "/proc", true, &found), OW_ERR_IO,
                     "cannot read /proc/self/mem: ");

    /* No more files may be opened. */
    struct rlimit limit, none;
    ow_test_write_file(f->path, "abc", 3);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = (struct rlimit){0, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const ow_status status = dataset_check_file(&f->set, 0, f->folder, true, &found);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_fails(status, OW_ERR_IO, "cannot open ");
}

/* The real files, where they are. */
static void check_real(const char *name)
{
    size_t i = 0;
    while (strcmp(dataset_get(i)->name, name) != 0) i++;
    const dataset *set = dataset_get(i);
    for (size_t k = 0; k < set->n_files; k++) {
        char file[256];
        file_state found;
        snprintf(file, sizeof file, "%s/%s", name, set->files[k].name);
        if (ow_test_data_file(file) == NULL) return;
        assert_ok(dataset_check_file(set, k, getenv("OTHERWISE_DATA"), true, &found));
        assert_int_equal(found, FILE_PRESENT);
    }
}

static void the_files_of_mnist_are_the_ones_meant(void **state)
{
    (void)state;
    check_real("mnist");
}

static void the_files_of_credit_are_the_ones_meant(void **state)
{
    (void)state;
    check_real("credit");
}

static void the_files_of_adult_are_the_ones_meant(void **state)
{
    (void)state;
    check_real("adult");
}

static void the_files_of_cub_are_the_ones_meant(void **state)
{
    (void)state;
    check_real("cub");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_sets_stand_in_their_order),
        cmocka_unit_test(a_file_is_present_absent_or_different),
        cmocka_unit_test(a_folder_in_the_files_place_is_different),
        cmocka_unit_test(a_set_whose_folder_is_a_file_is_absent),
        cmocka_unit_test(what_the_file_system_refuses_is_an_error),
        cmocka_unit_test(the_files_of_mnist_are_the_ones_meant),
        cmocka_unit_test(the_files_of_credit_are_the_ones_meant),
        cmocka_unit_test(the_files_of_adult_are_the_ones_meant),
        cmocka_unit_test(the_files_of_cub_are_the_ones_meant),
    };
    return cmocka_run_group_tests_name("cli/dataset_catalogue", tests, set_up, NULL);
}

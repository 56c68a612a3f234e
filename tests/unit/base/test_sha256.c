/* SPDX-License-Identifier: MIT */
/* SHA-256 against published digests and against a second implementation. */
#include "support/ow_test.h"

#include "base/io/sha256.h"

static void assert_digest(const void *bytes, size_t size, const char *want)
{
    owi_sha256 hash;
    char text[owi_sha256_text_size];
    owi_sha256_init(&hash);
    owi_sha256_add(&hash, bytes, size);
    owi_sha256_finish(&hash, text);
    assert_string_equal(text, want);
}

/* NIST, "Example values" for FIPS 180-4: one block, two blocks; and the two of the same
 * kind from the earlier FIPS 180-2 and its test programme: 896 bits, nothing at all. */
static void short_messages_have_their_published_digests(void **state)
{
    (void)state;
    static const struct {
        const char *message, *want;
    } vectors[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
         "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        assert_digest(vectors[i].message, strlen(vectors[i].message), vectors[i].want);
}

/* FIPS 180-2, appendix B.3, fed in pieces of every size from 0 to about 1400. */
static void a_million_letters_have_their_published_digest(void **state)
{
    (void)state;
    char letters[1500];
    memset(letters, 'a', sizeof letters);
    owi_sha256 hash;
    char text[owi_sha256_text_size];
    owi_sha256_init(&hash);
    size_t left = 1000000;
    for (size_t piece = 0; left > 0; piece++) {
        const size_t n = piece < left ? piece : left;
        owi_sha256_add(&hash, letters, n);
        left -= n;
    }
    owi_sha256_finish(&hash, text);
    assert_string_equal(text,
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Messages of 0 to 300 bytes, 7 i + 3 at place i: the digest of their digests, one after
 * the other in hexadecimal, is that of Python's hashlib. */
static void every_length_of_the_last_block_is_padded_right(void **state)
{
    (void)state;
    unsigned char message[300];
    for (size_t i = 0; i < sizeof message; i++) message[i] = (unsigned char)(7 * i + 3);
    owi_sha256 hash, digests;
    char text[owi_sha256_text_size];
    owi_sha256_init(&digests);
    for (size_t size = 0; size <= sizeof message; size++) {
        owi_sha256_init(&hash);
        owi_sha256_add(&hash, message, size / 3);
        owi_sha256_add(&hash, message + size / 3, size - size / 3);
        owi_sha256_finish(&hash, text);
        owi_sha256_add(&digests, text, strlen(text));
    }
    owi_sha256_finish(&digests, text);
    assert_string_equal(text,
                        "9ab015b3431ba48c0f99e81c5bb7d903f6bfea343d7d7b190120d07cc51e653b");
}

static void the_sum_of_a_file_is_that_of_its_bytes(void **state)
{
    (void)state;
    const char *path = ow_test_path("abc", 0);
    char sum[OW_SHA256_SIZE];
    ow_test_write_file(path, "abc", 3);
    assert_ok(ow_file_sha256(path, sum));
    assert_string_equal(sum,
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_fails(ow_file_sha256(ow_test_path("nothing", 1), sum), OW_ERR_IO, "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sum_of_a_file_is_that_of_its_bytes),
        cmocka_unit_test(short_messages_have_their_published_digests),
        cmocka_unit_test(a_million_letters_have_their_published_digest),
        cmocka_unit_test(every_length_of_the_last_block_is_padded_right),
    };
    return cmocka_run_group_tests_name("base/sha256", tests, NULL, NULL);
}

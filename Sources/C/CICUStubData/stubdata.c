// SPDX-License-Identifier: Apache-2.0
// Foundation holds ICU, whose tables of languages, calendars and time zones are a third of a program that is linked
// statically. ICU looks for them by one name. A program that has this name itself is not given the tables by the
// linker, and ICU finds that there are none: what ICU's own project calls stubdata. ISO 8601, regular expressions and
// comparisons need none; formats for people and names of time zones do, and a `DateFormatter` without them ends the
// program.
// The layout is that of ICU's `DataHeader` (ucmndata.h) and of a table of contents without entries.

#include <stdint.h>

struct stub_data {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t info_reserved;
    uint8_t is_big_endian;
    uint8_t charset_family;
    uint8_t size_of_character;
    uint8_t reserved;
    uint8_t format[4];
    uint8_t format_version[4];
    uint8_t data_version[4];
    uint8_t padding[8];
    uint32_t entries;
    uint32_t end;
};

_Static_assert(sizeof(struct stub_data) == 40, "the table of contents begins after 32 bytes");

// The name has ICU's version in it, 74 in Swift 6.2 and 76 in 6.3: that of the compiler's own Foundation, whose headers lie
// beside clang's.
#if !__has_include(<../../../swift/_foundation_unicode/uvernum.h>)
#error "The version of Foundation's ICU is looked for in lib/swift/_foundation_unicode/uvernum.h, beside clang's lib/clang/*/include, \
and is not there. Without it the tables of languages would come back, a third of the program: say here where this compiler has it."
#endif
#include <../../../swift/_foundation_unicode/uvernum.h>

#define JOINED(version) icudt##version##_dat
#define TABLES(version) JOINED(version)
const struct stub_data TABLES(U_ICU_VERSION_MAJOR_NUM) = {
    32, {0xDA, 0x27}, 20, 0, 0, 0, 2, 0, {'T', 'o', 'C', 'P'}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0}, 0, 0};

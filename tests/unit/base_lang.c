#include "base/lang.h"

#include "base/lang_tr.h"
#include "check.h"

#include <stdlib.h>

static void use(const char *all, const char *messages, const char *lang) {
    setenv("LC_ALL", all, 1);
    setenv("LC_MESSAGES", messages, 1);
    setenv("LANG", lang, 1);
}

int main(void) {
    size_t count = sizeof lang_rows / sizeof lang_rows[0];
    bool sorted = true;
    for (size_t i = 1; i < count; i++) {
        if (strcmp(lang_rows[i - 1].english, lang_rows[i].english) >= 0) {
            sorted = false;
            printf("# out of order: %s\n", lang_rows[i].english);
        }
    }
    CHECK(sorted, "the rows are sorted, each once");
    use("tr_TR.UTF-8", "C", "C");
    CHECK(lang_is_turkish(), "LC_ALL decides first");
    bool found = true;
    for (size_t i = 0; i < count; i++) {
        found = found && strcmp(lang_text(lang_rows[i].english), lang_rows[i].turkish) == 0;
    }
    CHECK(found, "every row is found");
    CHECK_TEXT(_("standard input"), "standart girdi", "a marked sentence is translated");
    CHECK_TEXT(lang_text("no such row"), "no such row", "a sentence without a row stays");
    use("", "tr", "C");
    CHECK(lang_is_turkish(), "then LC_MESSAGES");
    use("", "", "tr_CY");
    CHECK(lang_is_turkish(), "then LANG");
    use("C", "tr", "tr");
    CHECK(!lang_is_turkish(), "the first that is not empty decides");
    use("de_DE", "", "");
    CHECK_TEXT(_("standard input"), "standard input", "any other language reads English");
    use("", "", "");
    CHECK(!lang_is_turkish(), "and so does none");
    unsetenv("LC_CTYPE");
    CHECK(!lang_is_utf8(), "no locale is no UTF-8");
    use("", "tr_TR.UTF-8", "C");
    CHECK(!lang_is_utf8(), "LC_MESSAGES does not say it");
    use("", "", "tr_TR.utf8");
    CHECK(lang_is_utf8(), "LANG does");
    setenv("LC_CTYPE", "C", 1);
    CHECK(!lang_is_utf8(), "LC_CTYPE before it");
    use("C.UTF-8", "", "");
    CHECK(lang_is_utf8(), "LC_ALL first");
    unsetenv("LC_CTYPE");
    return check_done();
}

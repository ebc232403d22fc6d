#include "record/export.h"

#include "wire/spelling.h"

struct json {
    struct bytes *out;
    bool begun;
};

static void write_line(void *owner, const struct message *message) {
    struct json *json = owner;
    bytes_add_text(json->out, json->begun ? ",\n" : "");
    spelling_encode_bare(SPELLING_JSON, message, json->out);
    json->begun = true;
}

int json_write(const char *text, size_t length, struct bytes *out, struct fail *fail) {
    struct json json = {.out = out};
    struct replay replay;
    bytes_add_text(out, "{\"hakem\":1,\"lines\":[\n");
    int status = export_lines(text, length, &replay, write_line, &json, fail);
    bytes_add_text(out, "\n]}\n");
    return status;
}

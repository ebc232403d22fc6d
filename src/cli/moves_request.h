/* A request of `hakem moves --jsonl`: a variant with options, a position, and
 * with dice whose turn it is. */
#ifndef HAKEM_CLI_MOVES_REQUEST_H
#define HAKEM_CLI_MOVES_REQUEST_H

#include "base/fail.h"
#include "base/json.h"
#include "rules/play.h"

#include <stdbool.h>

struct moves_request {
    struct rules rules;
    struct situation situation; /* without dice only the board is set */
    bool has_dice;              /* else the result is asked for */
    const struct cJSON *claims; /* the list `try`, or NULL; lives as long as the JSON */
};

/* Reads a request; 0, or -1 with a sentence that names the field. */
int moves_request_read(const struct cJSON *json, struct moves_request *request, struct fail *fail)
    __attribute__((warn_unused_result));

#endif

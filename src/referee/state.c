/* Where a match stands, for a seat that comes back or asks: all that it was told so far and
 * nothing else. What happened since comes as news, before its next request, as ever. */
#include "referee/table.h"

#include "wire/phrase.h"

void tell_heard(struct table *table, enum side side) {
    table->seat[side].heard = (struct hearing){
        .board = table->now.board, .cube = table->decision.cube, .ply = table->ply};
}

/* The game that runs, up to the last ply that the seat was told. */
static void set_game(struct message *message, const struct table *table, enum side side) {
    const struct hearing *heard = &table->seat[side].heard;
    struct roll opening[OPENING_THROWS_MAX];
    message_set_int(message, FIELD_GAME, table->game);
    message_set_int(message, FIELD_ATTEMPT, table->attempt);
    message_set(message, FIELD_STARTER, side_name((int)table->starter));
    tell_set_throws(message, FIELD_OPENING_THROWS, opening, throw_opening(table, opening));
    if (table->match.crawford == CRAWFORD_NOW) {
        message_set(message, FIELD_CRAWFORD_GAME, "yes");
    }
    message_set_u64(message, FIELD_SEED,
                    game_bot_seed(&table->dice, table->leg, *side_name((int)side), table->game,
                                  table->attempt));
    message_set_int(message, FIELD_PLY, heard->ply);
    phrase_board(message, &table->rules, &heard->board, side);
    if (table->rules.value[OPTION_VIDO]) {
        message_set_int(message, FIELD_CUBE, heard->cube.value);
        message_set(message, FIELD_OWNER, phrase_owner(&heard->cube, side));
    }
    if (heard->cube.offer > 0) {
        message_set_int(message, FIELD_VALUE, heard->cube.offer);
    }
}

void tell_state(struct referee *referee, struct table *table, enum side side) {
    const struct seat *seat = &table->seat[side];
    struct message message;
    if (!seat->ready) { /* `match` is what it has to answer */
        tell_match(referee, table, side);
        mix_tell(referee, table, side);
        return;
    }
    message_init(&message, MESSAGE_STATE);
    tell_set_match(&message, table, side);
    message_set_u64(&message, FIELD_SERIAL, seat->serial);
    phrase_score(&message, table->match.score, side);
    if (table->clock.rule.reserve > 0) {
        message_set_print(&message, FIELD_RESERVE, "%lld,%lld", (long long)table->clock.left[side],
                          (long long)table->clock.left[side_other(side)]);
    }
    if (table->in_game) {
        set_game(&message, table, side);
    }
    referee_tell(referee, referee_find_session(referee, seat->session), &message);
    if (table->holds != 0) {
        tell_pause(referee, table, side);
    }
    if (!table->in_game && table->match.games == 0) {
        mix_tell(referee, table, side);
    }
    if (game_is_asking(table, side)) {
        tell_open_request(referee, table);
    }
}

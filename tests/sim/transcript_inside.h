/* The inside of the transcripts' player: what its two files share. */
#ifndef HAKEM_TESTS_TRANSCRIPT_INSIDE_H
#define HAKEM_TESTS_TRANSCRIPT_INSIDE_H

#include "referee/referee.h"
#include "sim/transcript.h"

enum { PEERS_MAX = 8, TABLES_MAX = 8 };

/* One connection, by its letter. */
struct peer {
    char letter;
    uint32_t session; /* 0: closed */
    uint32_t last;    /* the same, also when it is closed */
    bool deaf;        /* takes nothing from the referee */
    char name[NAME_MAX_BYTES + 1];
    struct bytes heard; /* of a line that is not whole */
    char asked[80];     /* the request that waits for a draft's answer, "" none */
    struct hello_refusal refusal; /* code NULL: it is welcome */
};

struct seated {
    uint32_t table;
    struct unit_dice dice;
    struct hash head;
    uint32_t session[SIDE_COUNT];
};

struct player {
    struct referee *referee;
    int64_t now;
    enum transcript_pace pace;
    struct peer peer[PEERS_MAX];
    int peers;
    struct seated seated[TABLES_MAX];
    int tables;
    struct bytes *out;
    const char *until; /* of a draft: the text that ends it, NULL when it was told */
    char *why;
};

/* Says what is wrong with a line; false. */
bool player_fail(struct player *player, const char *why, const char *about);

/* The connection of that letter, NULL when there is none. */
struct peer *player_peer(struct player *player, char letter);

/* Cuts the next word off a line, in place; "" at its end. */
char *player_word(char **at);

/* `! ...`: what the organiser does. */
bool player_organise(struct player *player, char *rest);

#endif

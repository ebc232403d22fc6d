#include "cli/replay_screen.h"

#include "arena/grid.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/live.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Keys, after the escape sequences of arrows and such have been undone. */
enum key {
    KEY_NONE,
    KEY_NEXT,
    KEY_BACK,
    KEY_NEXT_GAME,
    KEY_BACK_GAME,
    KEY_FIRST,
    KEY_LAST,
    KEY_FLIP,
    KEY_FAULT,
    KEY_JUMP,
    KEY_QUIT
};

enum {
    NUMBER_MAX = 100000,
    SCREEN_LOOK = 200, /* ms between two looks for a signal */
    BOARD_WIDTH = 43,  /* columns; what stands beside it may be cut off */
    KEYS_MAX = 256,
    PAGE_MAX = 1 << 20
};

struct screen {
    const struct story *story;
    struct story_look *look;
    size_t step;
    unsigned number; /* digits typed so far, for a jump */
    struct bytes page;
};

/* What a terminal sends, and what it means. */
static const struct {
    const char *bytes;
    enum key key;
} keys[] = {
    {"n", KEY_NEXT},
    {" ", KEY_NEXT},
    {"\r", KEY_NEXT},
    {"\n", KEY_NEXT},
    {"\033[C", KEY_NEXT},
    {"\033OC", KEY_NEXT},
    {"\033[B", KEY_NEXT},
    {"\033OB", KEY_NEXT},
    {"p", KEY_BACK},
    {"b", KEY_BACK},
    {"\177", KEY_BACK},
    {"\b", KEY_BACK},
    {"\033[D", KEY_BACK},
    {"\033OD", KEY_BACK},
    {"\033[A", KEY_BACK},
    {"\033OA", KEY_BACK},
    {"g", KEY_NEXT_GAME},
    {"]", KEY_NEXT_GAME},
    {"\033[6~", KEY_NEXT_GAME},
    {"G", KEY_BACK_GAME},
    {"[", KEY_BACK_GAME},
    {"\033[5~", KEY_BACK_GAME},
    {"<", KEY_FIRST},
    {"\033[H", KEY_FIRST},
    {"\033[1~", KEY_FIRST},
    {"\033OH", KEY_FIRST},
    {">", KEY_LAST},
    {"\033[F", KEY_LAST},
    {"\033[4~", KEY_LAST},
    {"\033OF", KEY_LAST},
    {"f", KEY_FLIP},
    {"!", KEY_FAULT},
    {"j", KEY_JUMP},
    {"q", KEY_QUIT},
    {"Q", KEY_QUIT},
    {"\003", KEY_QUIT},
    {"\004", KEY_QUIT},
    {"\033", KEY_QUIT},
};

static void put(const char *data, size_t length) {
    while (length > 0) {
        ssize_t taken = write(STDOUT_FILENO, data, length);
        if (taken < 0 && errno != EINTR) {
            return; /* the terminal is gone: the next read says so */
        }
        if (taken > 0) {
            data += taken;
            length -= (size_t)taken;
        }
    }
}

/* What happened, in lines of at most so many columns. */
static void add_caption(const struct screen *screen, int width, struct bytes *page) {
    struct bytes caption;
    bytes_init(&caption, PAGE_MAX);
    story_print_caption(screen->story, screen->step, &caption);
    if (width < INT_MAX) {
        grid_paragraph(bytes_text(&caption), (size_t)width, page);
    } else {
        bytes_add(page, caption.data, caption.length);
    }
    bytes_clear(&caption);
}

/* The step with or without its board, for a terminal of so many columns. */
static void add_step(const struct screen *screen, bool board, int width, struct bytes *page) {
    const struct story *story = screen->story;
    bool last = screen->step + 1 == story->count;
    story_print_title(story, page);
    bytes_add_text(page, "\n");
    if (board) {
        story_print_board(story, screen->step, screen->look, page);
        bytes_add_text(page, "\n");
    }
    add_caption(screen, board ? INT_MAX : width, page);
    if (last && story->bad_line > 0) {
        bytes_print(page, _("line %llu is refused: %s"), (unsigned long long)story->bad_line,
                    story->why);
    } else if (last && story->unfinished) {
        bytes_add_text(page, _("the record stops here: it is not finished"));
    }
    bytes_add_text(page, "\n");
    if (!board) {
        grid_paragraph(_("The board needs a larger terminal."), (size_t)width, page);
    }
    char keys_line[KEYS_MAX];
    snprintf(keys_line, sizeof keys_line, "%zu/%zu  %s", screen->step + 1, story->count,
             _("n next, p previous, ] [ games, ! fault, 17j jump, f flip, q quit"));
    grid_paragraph(keys_line, (size_t)width, page);
}

static int count_lines(const struct bytes *page) {
    int lines = 0;
    for (size_t i = 0; i < page->length; i++) {
        lines += page->data[i] == '\n';
    }
    return lines;
}

/* As much of the page as the terminal shows: nothing folds, and nothing scrolls. */
static void add_fitted(const struct bytes *page, int width, int height, struct bytes *out) {
    const char *at = page->data, *end = at + page->length;
    for (int line = 0; line < height && at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop != NULL ? stop : end;
        bytes_add_text(out, line > 0 ? "\n" : "");
        for (int column = 0; column < width && at < stop; column++) {
            size_t size = text_utf8_next(at, (size_t)(stop - at));
            bytes_add(out, at, size > 0 ? size : 1);
            at += size > 0 ? size : 1;
        }
        at = stop + 1;
    }
}

/* The page of the step: where we are, the board, what happened, the keys. A terminal that is too
 * small for the board has all but that. */
static void draw(struct screen *screen) {
    struct bytes page, *out = &screen->page;
    int width, height;
    live_size(&width, &height);
    bytes_init(&page, PAGE_MAX);
    add_step(screen, true, width, &page);
    if (width < BOARD_WIDTH || count_lines(&page) > height) {
        bytes_drop(&page, page.length);
        add_step(screen, false, width, &page);
    }
    bytes_drop(out, out->length);
    bytes_add_text(out, "\033[H\033[2J");
    add_fitted(&page, width, height, out);
    bytes_clear(&page);
    put(out->data, out->length);
}

/* The first step of the game `by` games away, from where it stands. */
static size_t other_game(const struct story *story, size_t step, int by) {
    size_t at = step;
    do {
        if (by < 0 && at == 0) {
            return 0;
        }
        if (by > 0 && at + 1 == story->count) {
            return at;
        }
        at = by < 0 ? at - 1 : at + 1;
    } while (story->steps[at].kind != MESSAGE_GAME);
    return at;
}

/* The next fault behind the step, from the start again after the last one. */
static size_t next_fault(const struct story *story, size_t step) {
    for (size_t i = 1; i <= story->count; i++) {
        size_t at = (step + i) % story->count;
        if (story->steps[at].kind == MESSAGE_FAULT) {
            return at;
        }
    }
    return step;
}

/* That ply of the game in sight; where there is none it stays. */
static size_t jump(const struct story *story, size_t step, unsigned ply) {
    long found = story_find(story, story->steps[step].at.game, ply);
    return found >= 0 ? (size_t)found : step;
}

static void act(struct screen *screen, enum key key) {
    size_t last = screen->story->count - 1;
    switch (key) {
    case KEY_NEXT:
        screen->step += screen->step < last;
        break;
    case KEY_BACK:
        screen->step -= screen->step > 0;
        break;
    case KEY_NEXT_GAME:
        screen->step = other_game(screen->story, screen->step, 1);
        break;
    case KEY_BACK_GAME:
        screen->step = other_game(screen->story, screen->step, -1);
        break;
    case KEY_FIRST:
        screen->step = 0;
        break;
    case KEY_LAST:
        screen->step = last;
        break;
    case KEY_FLIP:
        screen->look->flipped = !screen->look->flipped;
        break;
    case KEY_FAULT:
        screen->step = next_fault(screen->story, screen->step);
        break;
    case KEY_JUMP:
        screen->step = jump(screen->story, screen->step, screen->number);
        break;
    case KEY_NONE:
    case KEY_QUIT:
        break;
    }
}

/* The key at the start of what was read, the longest that fits; `*length` is its bytes. */
static enum key find_key(const char *data, size_t room, size_t *length) {
    enum key key = KEY_NONE;
    *length = 1;
    size_t best = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        size_t size = strlen(keys[i].bytes);
        if (size > best && size <= room && memcmp(data, keys[i].bytes, size) == 0) {
            best = size;
            key = keys[i].key;
            *length = size;
        }
    }
    return key;
}

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Takes what was typed; false when it is time to go. */
static bool take_keys(struct screen *screen) {
    char data[64];
    ssize_t got = read(STDIN_FILENO, data, sizeof data);
    if (got <= 0) {
        return got < 0 && errno == EINTR;
    }
    for (size_t at = 0; at < (size_t)got;) {
        size_t length;
        enum key key = find_key(data + at, (size_t)got - at, &length);
        bool escape = key == KEY_QUIT && data[at] == '\033' && (size_t)got - at > 1;
        if (key == KEY_QUIT && !escape) {
            return false;
        }
        act(screen, escape ? KEY_NONE : key);
        screen->number = is_digit(data[at]) && screen->number < NUMBER_MAX
                             ? screen->number * 10 + (unsigned)(data[at] - '0')
                             : 0;
        at += escape ? (size_t)got - at : length; /* the rest of a key that is not ours */
    }
    return true;
}

/* The signal of that set that has come, 0 for none. */
static int take_signal(const sigset_t *caught) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH};
    sigset_t come;
    int number = 0;
    sigpending(&come);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (sigismember(&come, numbers[i]) && sigwait(caught, &number) == 0) {
            return number;
        }
    }
    return 0;
}

/* Keys and signals (which are blocked, and looked for) until one of them ends it. */
static int watch(struct screen *screen, const sigset_t *caught) {
    bool stale = true;
    for (;;) {
        struct pollfd polled = {.fd = STDIN_FILENO, .events = POLLIN};
        if (stale) {
            draw(screen);
        }
        if (poll(&polled, 1, SCREEN_LOOK) < 0 && errno != EINTR) {
            return 0;
        }
        int number = take_signal(caught);
        if (number != 0 && number != SIGWINCH) {
            return number;
        }
        bool typed = polled.revents != 0;
        if (typed && !take_keys(screen)) {
            return 0;
        }
        stale = typed || number == SIGWINCH;
    }
}

/* What comes of a signal that is only looked for; without it an ignored one would be lost. */
static void on_nothing(int number) {
    (void)number;
}

int replay_screen(const struct story *story, size_t step, struct story_look *look) {
    static const char enter[] = "\033[?1049h\033[?25l";
    static const char leave[] = "\033[?25h\033[?1049l";
    struct screen screen = {.story = story, .look = look, .step = step};
    struct termios before;
    sigset_t caught;
    sigset_t blocked_before;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGHUP);
    sigaddset(&caught, SIGQUIT);
    sigaddset(&caught, SIGWINCH);
    if (tcgetattr(STDIN_FILENO, &before) != 0) {
        return 0;
    }
    sigprocmask(SIG_BLOCK, &caught, &blocked_before);
    struct sigaction nothing = {.sa_handler = on_nothing};
    struct sigaction resized_before;
    sigaction(SIGWINCH, &nothing, &resized_before);
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    put(enter, sizeof enter - 1);
    bytes_init(&screen.page, PAGE_MAX);
    int signal = watch(&screen, &caught);
    bytes_clear(&screen.page);
    put(leave, sizeof leave - 1);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    sigaction(SIGWINCH, &resized_before, NULL);
    sigprocmask(SIG_SETMASK, &blocked_before, NULL);
    return signal;
}

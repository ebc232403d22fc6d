// hakem_bot: a bot for the referee hakem in JavaScript. Node 18 or later, nothing to install.
//
//     import { Bot, run } from './hakem_bot.mjs';
//
//     class Mine extends Bot {
//         name = 'mine';
//
//         choose(turn) {
//             return turn.table.random(turn.plays.length);
//         }
//     }
//
//     run(new Mine());
//
// run() talks over stdin and stdout, or with `--connect HOST:PORT` over TCP, in the text spelling
// of protocol/README.md. It ends the program with status 0 after the referee's bye or the end of
// its lines, 1 when the referee refused or could not be reached, 2 for a wrong argument. A TCP
// connection that breaks is dialled anew and the session resumed. The options and callbacks are
// those of the clients in C and Python beside this one; contrib/README.md has them in one table.
// Every callback may be async.
//
// Points are always in one's own numbering: 24 is farthest, 6..1 are home, 25 is the bar, 0 is
// off. A reproducible bot draws all its chance from table.random, which every game seeds anew with
// the `seed=` of the referee.
// MIT licence (LICENSE at the top of the sources).

import { connect as dial } from 'node:net';

const STARTS = { // variant -> each side's men at the start, as [point, men]
    tavla: [[24, 2], [13, 5], [8, 3], [6, 5]],
    uzun: [[24, 15]],
    western: [[24, 2], [13, 5], [8, 3], [6, 5]],
    nackgammon: [[24, 2], [23, 2], [13, 4], [8, 3], [6, 4]],
    hypergammon: [[24, 1], [23, 1], [22, 1]],
    fevga: [[24, 15]],
};
export const VARIANTS = Object.keys(STARTS).join(',');
export const PARALLEL = ['uzun', 'fevga']; // both sides run the same way, one man closes a point
// The options that decide which plays are legal: what a bot that asks for no list of plays
// declines unless it has its own supports().
export const PLAY_OPTIONS = ('must_max larger_die win_ends_turn bearoff hit_and_run wall wall_path'
    + ' wall_front head_exception head_exception_who runner start_wall unblock').split(' ');
const ACTS = ['roll', 'double', 'take', 'drop', 'beaver', 'resign', 'accept', 'reject'];
const TABLES_MAX = 4096;
const INPUT_MAX = 8 << 20; // characters of a line from the referee
const TRIES = 9; // how often a lost referee is dialled without a request from it
const WAIT_FIRST = 100; // ms before the first of them, doubled up to
const WAIT_MAX = 5000;

// A line, or a play, that says nothing.
class Unreadable extends Error {}

// A function of limit, for chance from a seed (splitmix64): a number from 0 to limit - 1, the same
// in every language of contrib/. The upper half of its output times the limit, shifted down by 32.
export function randomFrom(seed) {
    let state = BigInt.asUintN(64, BigInt(seed));
    return (limit) => {
        state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
        let z = state;
        z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
        z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
        z ^= z >> 31n;
        return Number(((z >> 32n) * BigInt(limit)) >> 32n);
    };
}

const knownLegs = new Map(); // text of a leg -> [from, to], filled as they are met

function readPoint(word) {
    if (word === 'bar') {
        return 25;
    }
    return word === 'off' ? 0 : /^\d\d?$/.test(word) ? Number(word) : NaN;
}

function readLeg(text) {
    const [from, to, ...more] = text.replace(/\*$/, '').split('/').map(readPoint);
    if (!(from >= 1 && from <= 25 && to >= 0 && to <= 24) || more.length > 0) {
        throw new Unreadable(`${text}: not a leg`);
    }
    if (knownLegs.size < 2000) {
        knownLegs.set(text, [from, to]);
    }
    return [from, to];
}

// The legs of a play as [from, to] pairs: 'bar/20 6/off' is [[25, 20], [6, 0]].
export function legs(play) {
    const words = play.split(/[ ,]+/).filter((word) => word !== '');
    return words.map((word) => knownLegs.get(word) ?? readLeg(word));
}

// The opponent's number of one's own point 1..24.
export function mirror(variant, point) {
    if (!PARALLEL.includes(variant)) {
        return 25 - point;
    }
    return point <= 12 ? point + 12 : point - 12;
}

// points[1..24]: own checkers positive, the opponent's negative; points[25]: own checkers on the
// bar; points[0]: minus the opponent's. off: borne off, own and the opponent's.
export class Board {
    constructor(variant) {
        this.points = new Array(26).fill(0);
        this.off = [0, 0];
        for (const [point, men] of Object.hasOwn(STARTS, variant ?? '') ? STARTS[variant] : []) {
            this.points[point] = men;
            this.points[mirror(variant, point)] = -men;
        }
    }

    // A board of its own.
    copy() {
        const board = new Board();
        board.points = this.points.slice();
        board.off = this.off.slice();
        return board;
    }

    // Plays one's own play.
    play(play) {
        const { points } = this;
        for (const [from, to] of legs(play)) {
            points[from] -= 1;
            if (to === 0) {
                this.off[0] += 1;
            } else if (points[to] === -1) { // a hit: it goes to its bar
                points[to] = 1;
                points[0] -= 1;
            } else {
                points[to] += 1;
            }
        }
    }

    // Plays the opponent's play, which is told in our numbering too.
    suffer(play) {
        const { points } = this;
        for (const [from, to] of legs(play)) {
            points[from < 25 ? from : 0] += 1;
            if (to === 0) {
                this.off[1] += 1;
            } else if (points[to] === 1) {
                points[to] = -1;
                points[25] += 1;
            } else {
                points[to] -= 1;
            }
        }
    }

    // Pips that the owner needs to bear off everything.
    pips() {
        return this.points.reduce((sum, men, point) => sum + (men > 0 ? men * point : 0), 0);
    }

    // Pips that the opponent needs.
    their_pips(variant) {
        const away = (point) => (point === 0 ? 25 : mirror(variant, point));
        return this.points.reduce((sum, men, p) => sum - (men < 0 ? men * away(p) : 0), 0);
    }
}

// ---- lines: words, key=value fields

const split = (line) => line.split(/[ \t]+/).filter((word) => word !== '');

function int(word) {
    if (!/^\d{1,17}$/.test(word ?? '')) {
        throw new Unreadable(`${word}: not a number`);
    }
    return Number(word);
}

function numbers(text, count) {
    const found = text.split(',');
    if (found.length !== count || !found.every((word) => /^-?\d{1,17}(\.\d)?$/.test(word))) {
        throw new Unreadable(`${text}: not ${count} numbers`);
    }
    return found.map(Number);
}

function decode(text) {
    try {
        return text.includes('%') ? decodeURIComponent(text) : text;
    } catch {
        return text; // no UTF-8 behind the signs
    }
}

// A text as one word of a line.
function encode(text) {
    const hex = (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
    return String(text).replace(/[\x00-\x20%\x7f]/g, hex);
}

// The key=value words of a line, decoded, as a Map.
export function fields(words) {
    const found = new Map();
    for (const word of words) {
        const equals = word.indexOf('=');
        if (equals >= 0) {
            found.set(word.slice(0, equals), decode(word.slice(equals + 1)));
        }
    }
    return found;
}

// One seat at one table, as the lines of the referee have told it: id, variant, seat ('X' or 'Y'),
// opponent (name), match (points to win it, 0: a money session), score (own, the opponent's),
// crawford (this game is played without the cube), cube (its value), owner ('me', 'opp' or 'none'),
// offer (while a double is out: its value if it is taken, else 0), board (before the throw is
// played), random (a function of limit).
export class Table {
    constructor(id, facts) {
        this.id = id;
        this.variant = facts.get('variant');
        this.match = int(facts.get('match') ?? '1');
        this.seat = facts.get('seat') ?? 'X';
        this.opponent = facts.get('opponent') ?? '';
        this.plays = [];
        this.plays_serial = '';
        this.answered = ['', '']; // serial of the request answered last; what is always allowed there
        this.sent = ''; // that answer
        this.game = ''; // number and attempt
        this.start(new Map());
    }

    // A new game: a fresh board and fresh chance.
    start(facts) {
        const seed = facts.get('seed') ?? '0';
        this.score = numbers(facts.get('score') ?? '0,0', 2);
        this.random = randomFrom(/^\d{1,20}$/.test(seed) ? seed : 0);
        this.board = new Board(this.variant);
        this.crawford = facts.get('crawford') === 'yes';
        this.cube = int(facts.get('cube') ?? '1');
        this.owner = 'none';
        this.offer = 0;
        this.taker = 'none';
    }

    // Where the match stands after the connection was lost: of a game that was known already the
    // chance goes on as it was.
    stand(facts) {
        const game = `${facts.get('game')} ${facts.get('attempt')}`;
        const chance = this.random;
        this.start(new Map([...facts, ['crawford', facts.get('crawford_game')]]));
        if (game === this.game) {
            this.random = chance;
        }
        this.game = game;
        if (facts.has('position')) {
            this.board = boardOf(facts);
        }
        this.owner = facts.get('owner') ?? 'none';
        this.offer = int(facts.get('value') ?? '0');
        this.waits('opp', this.offer);
    }

    // A double of that value waits for 'me' or 'opp': whose the cube is once it is taken. Each
    // beaver turns it back to the other side.
    waits(who, value) {
        const beavers = Math.log2(Math.max(2, value / Math.max(1, this.cube))) - 1;
        const other = who === 'me' ? 'opp' : 'me';
        this.taker = beavers % 2 === 0 ? who : other;
    }

    // What was done, by us or by the opponent: a throw and its play, or a word of the cube.
    did(seat, deed, play) {
        const own = seat === this.seat;
        if (/^\d/.test(deed)) {
            this.board[own ? 'play' : 'suffer'](play);
        } else if (deed === 'double') {
            this.offer = 2 * this.cube;
            this.taker = own ? 'opp' : 'me';
        } else if (deed === 'beaver') {
            this.offer *= 2;
        } else if (deed === 'take') {
            this.cube = this.offer;
            this.owner = this.taker;
            this.offer = 0;
        }
    }
}

// The board of position= and off=.
function boardOf(facts) {
    const board = new Board();
    board.points = numbers(facts.get('position'), 26);
    board.off = numbers(facts.get('off') ?? '0,0', 2);
    return board;
}

// One request: what choose() is asked. Board, score, cube and owner are those of the request where
// it has them (want=position), else those of the table.
//
// table, serial, kind ('turn': a throw to play, 'cube': roll or double?, 'offer': a double, beaver
// or resignation of the opponent), may (words that are allowed), dice (two, in thrown order; []
// before the throw), first (own first turn of the game), last (the last throw, draw=last_roll),
// ms (time for this answer, null without a clock), reserve (milliseconds, own and the opponent's,
// or null), act (of an offer: 'double', 'beaver', 'resign'), value (of an offer: the cube if it is taken), resignation (its kind:
// 'single'...), plays (the legal plays as texts, one for each final position; a hit carries a star).
export class Turn {
    constructor(table, words) {
        const facts = fields(words.slice(3));
        const has = (key, read, absent) => (facts.has(key) ? read(facts.get(key)) : absent);
        this.table = table;
        [this.kind] = words;
        this.serial = int(words[2]);
        this.may = has('may', (text) => text.split(','), this.kind === 'turn' ? ['play'] : []);
        this.dice = this.kind === 'turn' ? words[3].split('').map(int) : [];
        this.first = facts.get('first') === 'yes';
        this.last = facts.get('last') === 'yes';
        this.ms = has('ms', int, null);
        this.reserve = has('reserve', (text) => numbers(text, 2), null);
        this.act = this.kind === 'offer' ? words[3] : '';
        this.value = this.kind === 'offer' ? has('value', int, table.offer) : 0;
        this.resignation = facts.get('kind') ?? '';
        if (this.kind === 'offer' && this.act !== 'resign') {
            table.waits('me', this.value);
        }
        this.plays = this.kind === 'turn' && table.plays_serial === words[2] ? table.plays : [];
        this.board = table.board;
        if (facts.has('position')) {
            this.board = boardOf(facts);
        }
        this.score = has('score', (text) => numbers(text, 2), table.score);
        this.cube = has('cube', int, table.cube);
        this.owner = facts.get('owner') ?? table.owner;
    }

    // The board after one of the plays, by its index or as text.
    after(play) {
        const board = this.board.copy();
        board.play(typeof play === 'string' ? play : this.plays[play]);
        return board;
    }
}

// ---- the conversation

// Derive from it, give it a name and a choose(). Every callback may be async.
export class Bot {
    name = 'bot';
    version = '';
    author = '';
    variants = VARIANTS; // others are declined
    want = 'plays'; // what a turn brings: 'plays', 'position,plays', 'position' or ''
    tables = 1; // tables that may run at once
    forced = false; // auto=forced: the referee plays what is no choice
    trace = false; // every line of the conversation goes to stderr too
    connect = null; // HOST:PORT to dial; null: stdin and stdout
    token = null; // what the organiser gave out

    // Returns the index of a play of turn.plays, or a play as text ('8/5 6/5').
    choose(_turn) {
        throw new Error('a bot needs its own choose()');
    }

    // All requests that are due at once, of every kind: returns their answers in order. Those that
    // are null go to the other callbacks one by one; so do all when it returns null.
    choose_many(_turns) {
        return null;
    }

    // Whether to double before the throw.
    doubles(_turn) {
        return false;
    }

    // Whether to take a double or beaver of turn.value.
    takes(_turn) {
        return true;
    }

    // Whether to answer a double by a beaver, where that is allowed.
    beavers(_turn) {
        return false;
    }

    // Whether a resignation of turn.resignation is enough: as given, where no more can be won.
    accepts(turn) {
        const least = ['single', 'oin'].includes(turn.resignation);
        return !least || turn.board.off[1] > 0
            || turn.board.pips() >= turn.board.their_pips(turn.table.variant);
    }

    // The kind of defeat to resign with ('single'...), or null; asked where that is allowed.
    resigns(_turn) {
        return null;
    }

    // Asked for each `option=value` of a match; false declines it.
    supports(option, _value) {
        return this.want.includes('plays') || !PLAY_OPTIONS.includes(option);
    }

    // Called after every line that was taken in.
    heard(_line) {}

    // The rest is for run(), and for tests.

    #seats = new Map(); // table as its word on the wire -> Table
    #due = new Map(); // likewise -> Turn
    #out = [];
    #tail = '';
    #secret = ''; // what a lost session is resumed with
    returns = false; // whether a connection that breaks is dialled anew
    tries = 0; // how often it was since the last request
    done = false;
    status = 0;

    // Says hello on a connection, the first or a new one; returns the text to send.
    start() {
        this.#due.clear();
        this.#out = [];
        this.#tail = '';
        const tables = Math.max(1, Math.min(this.tables, TABLES_MAX));
        this.tables = tables;
        const given = { name: this.name, version: this.version, author: this.author, tables,
            variants: this.variants, want: this.want, auto: this.forced ? 'forced' : '',
            token: this.token ?? '', resume: this.#secret };
        const words = Object.entries(given).filter(([, value]) => value !== '')
            .map(([key, value]) => `${key}=${encode(value)}`);
        this.#say(`hello hakem=1 ${words.join(' ')}`);
        return this.#taken();
    }

    // Takes in text of the referee, in pieces of any size; returns the text to send.
    async feed(text) {
        const lines = text.split('\n');
        lines[0] = this.#tail + lines[0];
        this.#tail = lines.pop();
        for (const line of lines) {
            if (this.done) {
                break;
            }
            if (this.#due.size > 0 && this.#due.has(split(line)[1])) {
                // Whoever is told more has been asked before: so no split of the referee's text
                // into reads makes a difference.
                await this.#answer();
            }
            const taken = this.#line(line.endsWith('\r') ? line.slice(0, -1) : line);
            if (taken !== undefined) {
                await taken;
            }
        }
        if (this.#tail.length > INPUT_MAX) {
            this.#complain('a line of the referee is too long');
            this.done = true;
            this.status = 1;
        }
        if (this.#due.size > 0 && !this.done) {
            await this.#answer();
        }
        return this.#taken();
    }

    #taken() {
        const text = this.#out.join('');
        this.#out = [];
        return text;
    }

    #complain(what) {
        console.error(`${this.name}: ${what}`);
    }

    #say(line) {
        if (this.trace) {
            console.error(`> ${line}`);
        }
        this.#out.push(`${line}\n`);
    }

    // Takes in one line; a promise where it needs time.
    #line(line) {
        if (this.trace) {
            console.error(`< ${line}`);
        }
        const words = split(line);
        let taken;
        try {
            taken = words.length > 0 ? this.#take(words, line) : undefined;
        } catch (wrong) {
            if (!(wrong instanceof Unreadable)) {
                throw wrong;
            }
            this.#complain(`cannot read '${line}': ${wrong.message}`);
        }
        this.heard(line);
        return taken;
    }

    // The same, cut into words.
    #take(words, line) {
        const [kind, name] = words;
        const table = kind === 'state' ? this.#sitDown(words) : this.#seats.get(name);
        if (kind === 'match') {
            return this.#onMatch(words);
        }
        if (kind === 'ping') {
            this.#say(['pong', ...words.slice(1)].join(' '));
        } else if (kind === 'error' || kind === 'refused') {
            this.#complain(`the referee says: ${line}`);
            this.#onError(words);
        } else if (kind === 'welcome') {
            this.#secret = fields(words).get('resume') ?? '';
            this.returns = this.#secret !== '';
        }
        if (kind === 'refused' && this.#secret !== '' && name === 'token') {
            this.#secret = ''; // nothing is left to resume: the next hello begins anew
            this.#seats.clear();
        } else if (kind === 'bye' || kind === 'refused') {
            this.done = true;
            this.status = kind === 'refused' ? 1 : this.status;
        }
        if (table === undefined) {
            return undefined;
        }
        if (kind === 'did' && words.length > 4) {
            table.did(words[3], words[4], words.slice(5).filter((word) => !word.includes('='))
                .join(' '));
        } else if (kind === 'plays' && words.length > 3) {
            const plays = words.slice(4).filter((word) => !word.includes('='));
            table.plays = words[3] === '0' ? plays : table.plays.concat(plays);
            table.plays_serial = words[2];
        } else if (kind === 'turn' || kind === 'cube' || kind === 'offer') {
            this.#onRequest(table, words);
        } else if (kind === 'game') {
            const facts = fields(words);
            table.start(facts);
            table.game = `${words[2]} ${facts.get('attempt')}`;
        } else if (kind === 'state') {
            table.stand(fields(words));
        } else if (kind === 'end') {
            this.#seats.delete(name);
        }
        return undefined;
    }

    #onMatch(words) {
        const facts = fields(words);
        return this.#sit(words[1], new Table(int(words[1]), facts), facts);
    }

    async #sit(name, table, facts) {
        let why = '';
        if (!this.variants.split(',').includes(facts.get('variant'))
            || !Object.hasOwn(STARTS, facts.get('variant'))) {
            why = 'variant';
        } else if (!this.#seats.has(name) && this.#seats.size >= this.tables) {
            why = 'full';
        }
        for (const [option, value] of facts) {
            if (why === '' && !await this.supports(option, value)) {
                why = `${option}=${encode(value)}`;
            }
        }
        if (why !== '') {
            this.#say(`decline ${name} reason=${why}`);
        } else {
            this.#seats.set(name, table);
            this.#say(`ready ${name}`);
        }
    }

    // The seat of a state, which only the referee may remember.
    #sitDown(words) {
        const facts = fields(words);
        if (!this.#seats.has(words[1]) && Object.hasOwn(STARTS, facts.get('variant') ?? '')) {
            this.#seats.set(words[1], new Table(int(words[1]), facts));
        }
        return this.#seats.get(words[1]);
    }

    #onRequest(table, words) {
        if (words.length < (words[0] === 'cube' ? 3 : 4)) {
            throw new Unreadable('too few words');
        }
        const turn = new Turn(table, words);
        this.tries = 0;
        if (words[2] === table.answered[0]) {
            this.#say(table.sent); // it was lost with the connection
        } else if (turn.kind === 'turn' && turn.plays.length === 0 && this.want.includes('plays')) {
            this.#complain(`turn ${turn.serial} came without its plays`);
            this.#say(`play ${table.id} ${turn.serial} #0`); // the referee has them all the same
        } else {
            this.#due.set(words[1], turn);
        }
    }

    // After these codes the request stands and wants another answer.
    #onError(words) {
        const facts = fields(words);
        const table = this.#seats.get(facts.get('table'));
        const [serial, word] = table?.answered ?? [];
        if (['not-allowed', 'ambiguous'].includes(words[1]) && table !== undefined
            && serial === facts.get('serial')) {
            table.sent = `${word} ${table.id} ${serial}${word === 'play' ? ' #0' : ''}`;
            this.#say(table.sent);
        }
    }

    // Answers all requests that are due.
    async #answer() {
        const turns = [...this.#due.values()];
        this.#due.clear();
        const answers = await this.choose_many(turns) ?? turns.map(() => null);
        if (answers.length !== turns.length) {
            throw new Error(`choose_many: ${answers.length} answers to ${turns.length} requests`);
        }
        for (const [i, turn] of turns.entries()) {
            this.#send(turn, answers[i] ?? await this.#ask(turn));
            const offered = turn.act === 'resign' ? 'accept' : 'take';
            turn.table.answered = [String(turn.serial),
                { turn: 'play', cube: 'roll', offer: offered }[turn.kind]];
        }
    }

    // Answers one request by the callbacks for single ones.
    async #ask(turn) {
        const resigned = turn.may.includes('resign') ? await this.resigns(turn) : null;
        if (resigned) {
            return `resign ${resigned}`;
        }
        if (turn.kind === 'turn') {
            return this.choose(turn);
        }
        if (turn.kind === 'cube') {
            return turn.may.includes('double') && await this.doubles(turn) ? 'double' : 'roll';
        }
        if (turn.act === 'resign') {
            return await this.accepts(turn) ? 'accept' : 'reject';
        }
        if (turn.may.includes('beaver') && await this.beavers(turn)) {
            return 'beaver';
        }
        return await this.takes(turn) ? 'take' : 'drop';
    }

    #send(turn, answer) {
        const at = `${turn.table.id} ${turn.serial}`;
        const [word, ...rest] = String(answer).split(' ');
        const { table } = turn;
        if (typeof answer === 'number') {
            table.sent = `play ${at} #${answer}`;
        } else if (ACTS.includes(word)) {
            table.sent = [word, at, ...rest].join(' ');
        } else {
            table.sent = `play ${at} ${answer}`;
        }
        this.#say(table.sent);
    }
}

// ---- the whole life of a bot

const VALUED = ['connect', 'name', 'token', 'tables'];
const FLAGS = ['forced', 'trace'];

// Sets an option; false when the value is not one.
function set(bot, option, value) {
    if (FLAGS.includes(option)) {
        bot[option] = true;
    } else if (option !== 'tables') {
        bot[option] = value;
    } else if (/^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= TABLES_MAX) {
        bot.tables = Number(value);
    } else {
        return false;
    }
    return true;
}

// Options from the environment (HAKEM_CONNECT, ...), then from the arguments.
function options(bot, argv) {
    for (const option of [...VALUED, ...FLAGS]) {
        const value = process.env[`HAKEM_${option.toUpperCase()}`];
        if (value && !set(bot, option, value)) {
            console.error(`${bot.name}: HAKEM_${option.toUpperCase()} is not '${value}'`);
            process.exit(2);
        }
    }
    for (let i = 0; i < argv.length; i += 1) {
        const option = argv[i].startsWith('--') ? argv[i].slice(2) : '';
        const valued = VALUED.includes(option) && i + 1 < argv.length;
        i += valued ? 1 : 0;
        if (!(FLAGS.includes(option) || valued) || !set(bot, option, argv[i])) {
            console.error(`usage: ${process.argv[1]} [--connect HOST:PORT] [--name NAME]`
                + ` [--token TOKEN] [--tables 1..${TABLES_MAX}] [--forced] [--trace]`);
            process.exit(2);
        }
    }
}

// Reads what is there, gathers it until nothing more can be read at once, and answers it with one
// write: so every request that is due now is in one batch. `over` is called once, when the referee
// is done or its lines end.
function converse(bot, input, output, over) {
    let waiting = '';
    let busy = false;
    let ended = false;
    let past = false;
    const send = (text) => text !== '' && output.write(text);
    const work = async () => {
        busy = true;
        while (waiting !== '' && !bot.done) {
            const text = waiting;
            waiting = '';
            send(await bot.feed(text));
        }
        busy = false;
        if ((bot.done || ended) && !past) {
            past = true;
            over();
        }
    };
    const wake = () => {
        if (!busy && !past) {
            busy = true;
            setImmediate(work); // after every read of this turn of the loop
        }
    };
    const end = () => {
        ended = true;
        wake();
    };
    input.setEncoding('utf8');
    input.on('data', (data) => {
        waiting += data;
        wake();
    });
    input.on('end', end);
    input.on('error', end);
    output.on('error', end); // the referee has gone
    send(bot.start());
}

// The whole life of a bot; ends the program.
export function run(bot, argv = process.argv.slice(2)) {
    options(bot, argv);
    const end = () => process.exit(bot.status);
    if (!bot.connect) {
        converse(bot, process.stdin, process.stdout, end);
        return;
    }
    const colon = bot.connect.lastIndexOf(':');
    const host = bot.connect.slice(0, Math.max(colon, 0)).replace(/^\[|\]$/g, '');
    const port = /^\d{1,5}$/.test(bot.connect.slice(colon + 1)) ? bot.connect.slice(colon + 1) : -1;
    const refuse = (wrong) => {
        console.error(`${bot.name}: cannot connect to ${bot.connect} (HOST:PORT): ${wrong.message}`);
        process.exit(1);
    };
    const call = (refused) => {
        const socket = dial({ host, port: Number(port), noDelay: true });
        socket.once('error', refused);
        socket.once('connect', () => {
            socket.off('error', refused);
            converse(bot, socket, socket, () => {
                socket.destroy();
                if (bot.done || !bot.returns) {
                    end();
                }
                again();
            });
        });
    };
    const again = () => { // in place of a connection that broke
        if (bot.tries >= TRIES) {
            console.error(`${bot.name}: the connection to ${bot.connect} is lost`);
            process.exit(1);
        }
        setTimeout(() => call(again), Math.min(WAIT_FIRST * 2 ** bot.tries, WAIT_MAX));
        bot.tries += 1;
    };
    try {
        call(refuse);
    } catch (wrong) {
        refuse(wrong);
    }
}

// As probe.c, by hakem_bot.mjs; some of its callbacks take their time.
import { appendFileSync } from 'node:fs';
import { Bot, run } from './hakem_bot.mjs';

let compared = 0;
let differing = 0;

function compare(turn) {
    const facts = ({ board, cube, owner, score }) => [board.points, board.off, cube, owner, score];
    compared += 1;
    differing += String(facts(turn)) === String(facts(turn.table)) ? 0 : 1;
}

class Probe extends Bot {
    name = 'probe';
    version = '1';
    author = 'A. Yazıcı, %';
    tables = 8;
    want = process.env.PROBE_WANT ?? 'plays';

    async choose(turn) {
        compare(turn);
        return turn.plays.length > 0 ? turn.table.random(turn.plays.length) : '8/5 6/5';
    }

    async choose_many(turns) {
        if (process.env.PROBE_BATCH === undefined) {
            return null;
        }
        console.error(['batch', ...turns.map((turn) => (
            `${turn.kind}:${turn.table.id}:${turn.serial}`))].join(' '));
        await new Promise((done) => { setTimeout(done, 1); });
        return turns.map((turn) => (turn.kind === 'turn' && turn.table.id % 2 === 1
            ? turn.plays.length - 1 : null));
    }

    doubles(turn) {
        compare(turn);
        return turn.table.random(3) === 0;
    }

    async takes(turn) {
        compare(turn);
        return turn.table.random(4) > 0;
    }

    beavers(turn) {
        return turn.table.random(2) === 0;
    }

    resigns(turn) {
        if (turn.table.random(12) > 0) {
            return null;
        }
        return turn.table.variant === 'uzun' ? 'oin' : 'single';
    }

    supports(option, value) {
        if (process.env.PROBE_SUPPORTS !== undefined) {
            return option !== 'katmerli' || value !== '3';
        }
        return super.supports(option, value);
    }
}

process.on('exit', () => {
    if (process.env.PROBE_LOG !== undefined) {
        appendFileSync(process.env.PROBE_LOG, `${compared} ${differing}\n`);
    }
});
run(new Probe());

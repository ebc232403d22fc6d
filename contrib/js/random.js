#!/usr/bin/env node
// random: any legal play, each with the same chance. Node 18 or later, nothing else.
// Talks JSON lines over stdin and stdout, or with `--connect HOST:PORT` over TCP;
// `--name NAME` and `--token TOKEN` go into the hello. MIT licence.
'use strict';

const given = { connect: null, name: 'random-js', token: null };
const words = process.argv.slice(2);
for (let i = 0; i < words.length; i += 2) {
    const key = words[i].replace(/^--/, '');
    if (!words[i].startsWith('--') || !(key in given) || i + 1 === words.length) {
        console.error('usage: random.js [--connect HOST:PORT] [--name NAME] [--token TOKEN]');
        process.exit(2);
    }
    given[key] = words[i + 1];
}

// Chance from the seed of the game (splitmix64): the same choices for the same seed.
class Random {
    constructor(seed) {
        this.state = BigInt.asUintN(64, BigInt(seed));
    }

    // A number from 0 to limit - 1.
    below(limit) {
        this.state = BigInt.asUintN(64, this.state + 0x9e3779b97f4a7c15n);
        let z = this.state;
        z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
        z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
        z ^= z >> 31n;
        return Number(((z >> 32n) * BigInt(limit)) >> 32n);
    }
}

const variants = ['tavla', 'uzun', 'western', 'nackgammon', 'hypergammon', 'fevga'];
const tables = new Map(); // table id -> { random, plays, serial }
let answers = []; // lines to send when the batch has been read

function say(message) {
    answers.push(JSON.stringify(message));
}

const takers = {
    match(message) {
        const table = message.table;
        if (!variants.includes(message.variant)) {
            say({ type: 'decline', table, reason: 'variant' });
            return;
        }
        tables.set(table, { random: new Random(0), plays: 0, serial: null });
        say({ type: 'ready', table });
    },
    game(message, table) {
        table.random = new Random(message.seed);
    },
    plays(message, table) {
        table.plays = message.from + message.plays.length; // how many; the index is enough
        table.serial = message.serial;
    },
    turn(message, table) {
        const count = table.serial === message.serial ? table.plays : 0;
        const play = '#' + table.random.below(count);
        say({ type: 'play', table: message.table, serial: message.serial, play });
    },
    cube(message) {
        say({ type: 'roll', table: message.table, serial: message.serial });
    },
    offer(message) {
        const type = message.act === 'resign' ? 'accept' : 'take';
        say({ type, table: message.table, serial: message.serial });
    },
    end(message) {
        tables.delete(message.table);
    },
    ping(message) {
        say({ ...message, type: 'pong' });
    },
    error(message) {
        console.error('the referee says:', JSON.stringify(message));
    },
    refused(message) {
        takers.error(message);
        finish(1);
    },
    bye() {
        finish(0);
    },
};

function take(line) {
    const message = JSON.parse(line);
    const table = tables.get(message.table);
    const atTable = ['game', 'plays', 'turn', 'cube', 'offer'].includes(message.type);
    if (Object.hasOwn(takers, message.type) && (table || !atTable)) {
        takers[message.type](message, table);
    }
}

function start(input, output) {
    let tail = '';
    input.setEncoding('utf8');
    input.on('data', (data) => {
        const lines = (tail + data).split('\n');
        tail = lines.pop();
        lines.filter((line) => line.trim() !== '').forEach(take);
        flush(output);
    });
    input.on('end', () => finish(0));
    input.on('error', () => finish(0));
    output.on('error', () => finish(0)); // the referee has gone
    const hello = { type: 'hello', hakem: 1, name: given.name, version: '1', tables: 32 };
    say({ ...hello, variants, want: ['plays'], ...(given.token && { token: given.token }) });
    flush(output);
}

function flush(output) {
    if (answers.length > 0) {
        output.write(answers.join('\n') + '\n');
        answers = [];
    }
}

function finish(status) {
    process.exit(status);
}

if (given.connect) {
    const colon = given.connect.lastIndexOf(':');
    const host = given.connect.slice(0, colon).replace(/^\[|\]$/g, '');
    const port = Number(given.connect.slice(colon + 1));
    const socket = require('net').connect({ host, port, noDelay: true });
    socket.once('connect', () => start(socket, socket));
    socket.once('error', (wrong) => {
        console.error(`cannot connect to ${given.connect}: ${wrong.message}`);
        process.exit(1);
    });
} else {
    start(process.stdin, process.stdout);
}

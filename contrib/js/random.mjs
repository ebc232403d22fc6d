#!/usr/bin/env node
// random: any legal play, each with the same chance.
import { Bot, run } from './hakem_bot.mjs';

class Random extends Bot {
    name = 'random-js';
    version = '1';
    tables = 256;

    choose(turn) {
        return turn.table.random(turn.plays.length);
    }
}

run(new Random());

#!/usr/bin/env node
// The command `prejoin`: hands everything to the program.
'use strict';

const {spawn} = require('node:child_process');
const {findBinary} = require('./binary.js');

let binary;
try {
  binary = findBinary();
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
const child = spawn(binary, process.argv.slice(2), {stdio: 'inherit'});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.once('error', (error) => {
  console.error(`prejoin: ${error.message}`);
  process.exit(2);
});
child.once('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  process.exit(code ?? 1);
});

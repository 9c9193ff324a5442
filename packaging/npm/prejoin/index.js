// Starts servers for tests and development.
'use strict';

const {spawn} = require('node:child_process');
const {findBinary} = require('./binary.js');

const LISTENS = /^prejoin listening on (\S+)$/m;

/** Resolves when the server answers. It ends with stop(), and when this process ends, however that happens. */
function start(options = {}) {
  const {data, port = 0, model, startTimeoutMs = 10_000} = options;
  const command = ['serve', '--exit-with-parent', '--log-level', 'warning', '--port', String(port)];
  command.push(...(data === undefined ? ['--memory'] : ['--data', data]));
  if (model !== undefined) {
    command.push('--model', model);
  }
  command.push(...(options.options ?? []));
  return new Promise((resolve, reject) => {
    // The server stops when its standard input ends, and that ends with this process.
    const child = spawn(findBinary(), command, {stdio: ['pipe', 'pipe', 'pipe']});
    child.stdin.on('error', () => {});
    let out = '';
    let errors = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`prejoin did not listen within ${startTimeoutMs} ms\n${errors}`));
    }, startTimeoutMs);
    const ended = new Promise((done) => child.once('close', done));
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`prejoin ended with exit code ${code} before it listened\n${errors}`));
    });
    child.stderr.on('data', (bytes) => {
      errors = (errors + bytes).slice(-10_000);
    });
    child.stdout.on('data', (bytes) => {
      const found = out === null ? null : LISTENS.exec((out += bytes));
      if (found === null) {
        return;
      }
      out = null;
      clearTimeout(timer);
      // A script that is done need not wait for its server.
      child.unref();
      child.stdin.unref();
      child.stdout.unref();
      child.stderr.unref();
      resolve(serverOf(child, found[1], ended));
    });
  });
}

function serverOf(child, endpoint, ended) {
  return {
    endpoint,
    port: Number(new URL(endpoint).port),
    region: 'us-east-1',
    credentials: {accessKeyId: 'prejoin', secretAccessKey: 'prejoin'},
    pid: child.pid,
    async stop() {
      child.ref();
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

module.exports = {findBinary, start};

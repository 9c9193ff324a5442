// A server of its own and a browser for each test file. PREJOIN_BINARY names the program;
// SCREENSHOTS names a folder that gets a picture of every place where a test calls `picture`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { useBuiltPage } from './built_page.mjs';

const binary = process.env.PREJOIN_BINARY ?? '../build/release/prejoin';
const pictures = process.env.SCREENSHOTS;

// A server prints its address when it listens.
export function startProgram(words) {
  const server = spawn(binary, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const url = text.match(/http:\/\/[\d.:[\]a-z]+/)?.[0];
      if (url) resolve({ server, url });
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
}

const startServer = (extra, port = '0') => startProgram(['serve', '--memory', '--port', port, ...extra]);

// Call once at the top of a test file. `rig.url` and `rig.page` are there inside the tests.
export function useStudio({ serve = [], width = 1280, height = 800 } = {}) {
  const rig = {};
  before(async () => {
    const { server, url } = await startServer(serve);
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    const page = await browser.newPage({ viewport: { width, height } });
    await useBuiltPage(page.context());
    rig.errors = [];
    rig.uncaught = [];
    page.on('pageerror', (error) => {
      rig.errors.push(error.message);
      rig.uncaught.push(error.stack);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') rig.errors.push(message.text());
    });
    Object.assign(rig, { server, url, browser, page });
  });
  after(async () => {
    await rig.browser?.close();
    rig.server?.kill('SIGKILL');
    assert.deepEqual(rig.uncaught ?? [], [], 'no error goes uncaught in the page');
  });

  // The server goes away, and comes back empty at the same address.
  rig.stopServer = async () => {
    const gone = new Promise((resolve) => rig.server.once('exit', resolve));
    rig.server.kill('SIGKILL');
    await gone;
  };
  rig.restartServer = async () => {
    const { server } = await startServer(serve, new URL(rig.url).port);
    rig.server = server;
  };
  rig.open = (path) => rig.page.goto(rig.url + path);
  // When the page has drawn what it knows, and what moves in it has arrived.
  rig.settled = () =>
    rig.page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await frame();
      await frame();
      // One that is paused or belongs to what is hidden never ends: two seconds are more than any takes.
      const ends = document.getAnimations().map((one) => one.finished.catch(() => null));
      await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, 2000))]);
      await frame();
    });
  // When the address bar has the request that the form shows.
  rig.addressFollows = () => rig.page.locator('[data-address="follows"]').waitFor();
  rig.picture = async (name) => {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await rig.page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  };
  // One request of the DynamoDB API, past the page.
  rig.call = async (operation, request) => {
    const response = await fetch(rig.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': `DynamoDB_20120810.${operation}`,
        Authorization:
          'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0',
        'X-Amz-Date': '20260101T000000Z',
      },
      body: JSON.stringify(request),
    });
    return response.json();
  };
  return rig;
}

// Whether all of it is in the window, and nothing lies over its middle.
export const inFrame = (found) =>
  found.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && (element.contains(over) || !!over?.contains(element));
  });

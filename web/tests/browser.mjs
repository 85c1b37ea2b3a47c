// A real Chromium with the page in it.
import { chromium } from 'playwright-core';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../serve.mjs';

export const here = dirname(fileURLToPath(import.meta.url));

/** The command of the same sources. */
export const command = process.env.EOM_COMMAND ?? join(here, '..', '..', 'target', 'debug', 'eom');

/** The browser, the address of the page, and a page that is open; errors of its scripts fail the test. */
export async function opened(fragment = '', options = {}, at = undefined) {
  const server = at ? null : await serve(join(here, '..', 'dist'));
  const address = at ?? `http://127.0.0.1:${server.address().port}/`;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const errors = [];
  const requests = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(address + fragment);
  const close = async () => {
    await browser.close();
    server?.close();
  };
  return { browser, context, page, address, errors, requests, close };
}

/** Waits until a run has come to an end that is other than the last one, and gives it. */
export async function ended(page, pattern = /./, timeout = 60_000) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.getElementById('status').textContent),
    pattern.source, { timeout },
  );
  return page.textContent('#status');
}

/** Puts a text into the editor, in place of all that is there. */
export async function write(page, text) {
  await page.click('.cm-content');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveAssets } from './assets.ts';

const folder = mkdtempSync(join(tmpdir(), 'assets-'));
const app = express();
const server = app.listen(0, '127.0.0.1');
beforeAll(() => {
  const assets = join(folder, 'client/assets');
  mkdirSync(assets, { recursive: true });
  for (const name of ['app-1.css', 'app-1.css.br', 'app-1.css.gz', 'icon-1.svg', 'secret.txt']) {
    writeFileSync(join(assets, name), `content of ${name}`);
  }
  app.use('/assets', serveAssets(folder));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Without the decompression of `fetch`. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; text: string }>((resolve) => {
    const { port } = server.address() as AddressInfo;
    request({ port, path, headers, method }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, headers: response.headers, text });
    }).end();
  });

describe('assets', () => {
  it.each([
    ['br, gzip', 'br', 'content of app-1.css.br'],
    ['gzip', 'gzip', 'content of app-1.css.gz'],
    ['br;q=0, gzip', 'gzip', 'content of app-1.css.gz'],
    ['identity', undefined, 'content of app-1.css'],
  ])('an asset has the best encoding that is accepted (%s)', async (accepted, encoding, text) => {
    const answer = await get('/assets/app-1.css', { 'accept-encoding': accepted });
    expect(answer).toMatchObject({
      status: 200,
      text,
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(text.length),
        vary: 'Accept-Encoding',
      },
    });
    expect(answer.headers['content-encoding']).toBe(encoding);
  });

  it('an asset that was not compressed is sent as it is, and HEAD has the length without the content', async () => {
    expect(await get('/assets/icon-1.svg', { 'accept-encoding': 'br' })).toMatchObject({
      text: 'content of icon-1.svg',
    });
    const head = await get('/assets/icon-1.svg', {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '21' } });
  });

  it.each(['secret.txt', 'missing.js', '../../package.json', '%2e%2e/x.js', 'app-1.css.br', ''])(
    'the assets do not include %j',
    async (name) => {
      expect((await get(`/assets/${name}`)).status).toBe(404);
    },
  );

  it('assets can be read only', async () => {
    expect(await get('/assets/app-1.css', {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

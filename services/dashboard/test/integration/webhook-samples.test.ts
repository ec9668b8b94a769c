import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifyWebhook } from '@shopscope/client';
import { describe, expect, it } from 'vitest';
import { findPython, folder, type Python } from '../../../../packages/client-python/test/python.ts';
import { sampleSecret, verificationSample } from '../../src/webhooks/domain/verification-sample.ts';

const run = promisify(execFile);
const python = findPython();

/** Texts that a shell, TypeScript and Python read in different ways. */
const data = { domain: 'shop.example', note: `it's "quoted" \\ $HOME \`id\` \n ü 🛍` };
const sampleOf = (url = 'https://hooks.example/a?b=1&c=2', nowMs = Date.UTC(2026, 10, 29)) =>
  verificationSample({ url, type: 'scan.completed', data, nowMs });

describe('the sample of a webhook', () => {
  it('the shown program in TypeScript accepts the sample', async () => {
    const { codes } = sampleOf();
    const args = ['--conditions=@shopscope/source', '--input-type=module-typescript', '--eval', codes.ts];
    const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname, timeout: 50_000 });
    expect(stdout.trim()).toBe('evt_01kandxv3w9p4nsbq7g8e2hm5t scan.completed');
  }, 60_000);

  it.skipIf(typeof python === 'string')(
    'the shown program in Python accepts the sample',
    async () => {
      const place = mkdtempSync(join(tmpdir(), 'webhook-sample-'));
      writeFileSync(join(place, 'sample.py'), sampleOf().codes.python);
      const run = (python as Python).runIn(place, ['sample'], { PYTHONPATH: join(folder, 'src') });
      const out = await run.finally(() => rmSync(place, { recursive: true }));
      expect(out.trim()).toBe('evt_01kandxv3w9p4nsbq7g8e2hm5t scan.completed');
    },
    180_000,
  );

  it('the shown curl command sends a message that a receiver with the secret of the sample accepts', async () => {
    const received = Promise.withResolvers<{ headers: Record<string, string>; body: string }>();
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.resolve({ headers: request.headers as Record<string, string>, body });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const nowMs = Date.UTC(2026, 10, 29);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/it's?a=1&b=2`;
    await run('sh', ['-c', sampleOf(url, nowMs).codes.sh], { timeout: 50_000 });
    const { headers, body } = await received.promise;
    await new Promise((resolve) => server.close(resolve));
    const event = await verifyWebhook(headers, body, sampleSecret, { nowMs: () => nowMs });
    expect(event).toMatchObject({ type: 'scan.completed', data });
  }, 60_000);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nativeNode } from './native.ts';
import { freePort } from './ports.ts';

describe('native server', () => {
  let stateDir: string;
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'native-'));
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  it('a native server that ends while it starts is reported with the reason in its log', async () => {
    const script = `console.log('reads its settings'); throw new RangeError('no room'); `;
    const node = nativeNode({
      name: 'kafka',
      ports: [{ port: await freePort(), variable: 'SHOPSCOPE_KAFKA_PORT' }],
      stateDir,
      command: async () => ({ command: process.execPath, args: ['-e', script] }),
      probe: () => Promise.reject(new Error('nothing listens')),
      readyTimeoutMs: 60_000,
    });
    await expect(node.start()).rejects.toThrow(
      /^kafka exited with code 1 while starting; its log is .*kafka\.log: .*RangeError: no room/,
    );
  });
});

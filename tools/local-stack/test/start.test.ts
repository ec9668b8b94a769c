import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { waitUntil } from '@shopscope/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, isPortFree, LocalStackError, startOpenSearch, startStack } from '../src/index.ts';

const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const urls = {
  SHOPSCOPE_MONGODB_URL: 'mongodb://127.0.0.1:1/?replicaSet=rs0',
  SHOPSCOPE_KAFKA_BROKERS: '127.0.0.1:2',
  SHOPSCOPE_REDIS_URL: 'redis://127.0.0.1:3',
  SHOPSCOPE_OPENSEARCH_URL: 'http://127.0.0.1:4',
};

describe('starting the stack', () => {
  let stateDir: string;
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'local-stack-'));
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  it('the start of the stack uses the servers whose URLs are given, and starts and stops nothing', async () => {
    const stack = await startStack({ stateDir, cacheDir, env: urls, withOpenSearch: true });
    expect(stack.parts.map(({ provider, url, nodes }) => [provider, url, nodes])).toEqual(
      Object.values(urls).map((url) => ['external', url, []]),
    );
    await stack.stop();
  });

  it('the start of the stack leaves OpenSearch out unless the options ask for it', async () => {
    const stack = await startStack({ stateDir, cacheDir, env: urls });
    expect(stack.parts.map(({ name }) => name)).toEqual(['mongodb', 'kafka', 'redis']);
    expect(stack.opensearch).toBeUndefined();
    const alone = await startOpenSearch({ stateDir, cacheDir, env: urls });
    expect(alone.parts).toEqual([alone.opensearch]);
    expect(alone.opensearch.url).toBe(urls.SHOPSCOPE_OPENSEARCH_URL);
  });

  it('the start of the stack decides for each server separately', async () => {
    const { SHOPSCOPE_REDIS_URL: _, ...given } = urls;
    const stack = await startStack({ stateDir, cacheDir, env: { ...given, SHOPSCOPE_STACK: 'native' } });
    expect(stack.parts.map(({ provider }) => provider)).toEqual(['external', 'external', 'native']);
    await stack.stop();
    expect(await isPortFree(Number(new URL(stack.redis.url).port))).toBe(true);
  });

  it('the start of the stack refuses a busy port in one sentence with the remedy, before it starts or fetches anything', async () => {
    const port = await freePort();
    const busy = createServer().listen(port, '127.0.0.1');
    const reported: string[] = [];
    const start = startStack({
      stateDir,
      cacheDir: join(stateDir, 'empty'),
      ports: { redis: port },
      env: { SHOPSCOPE_STACK: 'native' },
      report: (line) => reported.push(line),
    });
    await expect(start).rejects.toThrow(
      new LocalStackError(`Port ${port} for redis is in use; stop what listens there, or set SHOPSCOPE_REDIS_PORT.`),
    );
    expect(reported).toEqual([]);
    busy.close();
  });

  it('the start of several nodes refuses a running server of the environment, which has nodes of its own', async () => {
    const { SHOPSCOPE_REDIS_URL, SHOPSCOPE_OPENSEARCH_URL } = urls;
    await expect(startStack({ stateDir, cacheDir, nodes: 3, env: { SHOPSCOPE_REDIS_URL } })).rejects.toThrow(
      new LocalStackError('SHOPSCOPE_REDIS_URL names a running server, so several nodes cannot be started; unset it.'),
    );
    await expect(startOpenSearch({ stateDir, cacheDir, nodes: 3, env: { SHOPSCOPE_OPENSEARCH_URL } })).rejects.toThrow(
      /^SHOPSCOPE_OPENSEARCH_URL names a running server/,
    );
  });

  it('the start of the stack can be canceled, and then leaves nothing running', async () => {
    const abortStart = new AbortController();
    const port = await freePort();
    const { SHOPSCOPE_REDIS_URL: _, SHOPSCOPE_KAFKA_BROKERS: __, ...given } = urls;
    const start = startStack({
      stateDir,
      cacheDir,
      ports: { redis: port },
      env: { ...given, SHOPSCOPE_STACK: 'native' },
      abort: abortStart.signal,
    });
    // Redis answers long before Kafka does.
    await waitUntil('Redis to listen', async () => !(await isPortFree(port)), { intervalMs: 1 });
    abortStart.abort(new Error('enough'));
    await expect(start).rejects.toThrow('enough');
    expect(await isPortFree(port)).toBe(true);
  });
});

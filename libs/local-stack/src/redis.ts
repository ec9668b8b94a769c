import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { redisBinary } from './artifacts.ts';
import type { NativeOptions } from './mongodb.ts';
import { nativePart } from './native.ts';
import type { StackPart } from './part.ts';

/** With an append-only file and no eviction: idempotency records have to survive a kill. */
export function nativeRedis({ stateDir, cacheDir, port, report, signal }: NativeOptions): StackPart {
  const directory = join(stateDir, 'data', 'redis');
  return nativePart({
    name: 'redis',
    url: `redis://127.0.0.1:${port}`,
    ports: [{ port, variable: 'SHOPSCOPE_REDIS_PORT' }],
    stateDir,
    signal,
    readyTimeoutMs: 60_000,
    async command() {
      const command = await redisBinary({ cacheDir, report, signal });
      await mkdir(directory, { recursive: true });
      // The title stays the command line, by which a later start knows a leftover process.
      const network = ['--bind', '127.0.0.1', '--port', String(port), '--set-proc-title', 'no'];
      const durable = [
        '--appendonly',
        'yes',
        '--appendfsync',
        'everysec',
        '--save',
        '',
        '--maxmemory-policy',
        'noeviction',
      ];
      return { command, args: [...network, '--dir', directory, ...durable] };
    },
    async answers() {
      const client = new Redis(port, '127.0.0.1', {
        lazyConnect: true,
        retryStrategy: () => null,
        maxRetriesPerRequest: 0,
      });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.ping();
      } finally {
        client.disconnect();
      }
    },
  });
}

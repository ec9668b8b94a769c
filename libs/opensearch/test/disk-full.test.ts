import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startOpenSearch } from '@shopscope/local-stack';
import { connectOpenSearch, failureOf } from '@shopscope/opensearch';
import { silentTelemetry, waitUntil } from '@shopscope/testing';
import { expect, it } from 'vitest';

const watermark = 'cluster.routing.allocation.disk.watermark';
const levels = ['low', 'high', 'flood_stage'];

/** The settings are those of the whole server, so the test has a server of its own. */
it('a disk above its last watermark makes writes unavailable, and they succeed again when there is room', {
  tags: ['nightly'],
}, async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'opensearch-disk-'));
  const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
  const env = { SHOPSCOPE_STACK: 'native' };
  const stack = await startOpenSearch({ stateDir, cacheDir, env, isTemporary: true });
  const openSearch = connectOpenSearch({
    nodes: [stack.opensearch.url],
    indexPrefix: '',
    requestTimeoutMs: 60_000,
    ...silentTelemetry(),
  });
  const { client } = openSearch;
  const requireFree = (bytes: string | null) =>
    client.cluster.putSettings({
      body: {
        persistent: {
          ...Object.fromEntries(levels.map((level) => [`${watermark}.${level}`, bytes])),
          'cluster.info.update.interval': '10s',
        },
      },
    });
  const write = () =>
    client.index({ index: 'stores', id: 'a', body: {} }).then(
      () => 'written',
      (error: unknown) => failureOf(error),
    );
  try {
    await client.indices.create({ index: 'stores' });
    expect(await write()).toBe('written');
    await requireFree('1000tb');
    await waitUntil('the disk to count as full', async () => (await write()) === 'unavailable');
    await requireFree(null);
    await waitUntil('the index to accept writes', async () => (await write()) === 'written');
  } finally {
    await openSearch.close();
    await stack.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
});

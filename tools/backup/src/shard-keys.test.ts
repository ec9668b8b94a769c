import { expect, it } from 'vitest';
import type { MongoClient } from 'mongodb';
import { dump } from './dump.ts';
import { shardCommands } from './shard-keys.ts';

it('a restored collection is sharded by its declared key, and one without a key is not', () => {
  const keys = { lists: { workspaceId: 1 }, scans: { domain: 'hashed' } } as const;
  expect(shardCommands('subscriptions', ['lists', 'quotas', 'scans'], keys)).toEqual([
    { shardCollection: 'subscriptions.lists', key: { workspaceId: 1 } },
    { shardCollection: 'subscriptions.scans', key: { domain: 'hashed' } },
  ]);
});

it('a database that no service has stays on one shard', () => {
  expect(shardCommands('other', ['lists'])).toEqual([]);
});

it('a dump of a sharded cluster is refused with the reason and the remedy', async () => {
  const client = { db: () => ({ command: async () => ({ msg: 'isdbgrid' }) }) } as unknown as MongoClient;
  await expect(dump({ client, databases: ['keys'], directory: '/nowhere' })).rejects.toThrow(/over the shards.*provider/);
});

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Child, cachedPrograms, freePort, startChild } from '@shopscope/local-stack';
import { waitUntil } from '@shopscope/testing';
import { MongoClient } from 'mongodb';

const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const mongod = join(cacheDir, cachedPrograms.mongodb);
/** Debian's package `faketime`. */
const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Why the replica set cannot be started on this machine, or undefined. */
export function missingForTwoClocks(): string | undefined {
  if (!existsSync(faketime)) return 'the package faketime is not installed';
  return existsSync(mongod) ? undefined : 'MongoDB runs in a container here';
}

export interface TwoClocks {
  url: string;
  /** Makes the other member the primary. The name is `right` or `ahead`. */
  makePrimary(name: 'right' | 'ahead'): Promise<void>;
  stop(): Promise<void>;
}

/** A replica set with two members. The clock of the member `ahead` is `aheadMs` ahead of that of the member `right`. */
export async function startTwoClocks(stateDir: string, aheadMs: number): Promise<TwoClocks> {
  const names = ['right', 'ahead'] as const;
  const members = await Promise.all(names.map(async (name) => ({ name, port: await freePort() })));
  const children: Child[] = [];
  const clients = new Map<string, MongoClient>();
  for (const { name, port } of members) {
    const dbpath = join(stateDir, name);
    await mkdir(dbpath, { recursive: true });
    const network = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
    const args = ['--replSet', 'rs0', '--dbpath', dbpath, ...network, '--wiredTigerCacheSizeGB', '0.25'];
    const clock = { LD_PRELOAD: faketime, FAKETIME: `+${aheadMs / 1_000}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    const env = { ...process.env, ...(name === 'ahead' && clock) };
    children.push(startChild({ name, command: mongod, args, stateDir, env }));
    clients.set(name, new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`));
  }
  const adminOf = (name: string) => {
    const client = clients.get(name);
    if (!client) throw new Error(`no member ${name}`);
    return client.db('admin');
  };
  const isPrimary = async (name: string) => (await adminOf(name).command({ hello: 1 })).isWritablePrimary === true;
  for (const { name } of members) await waitUntil(`${name} to respond`, () => adminOf(name).command({ ping: 1 }));
  const priorities = { right: 2, ahead: 1 };
  await adminOf('right').command({
    replSetInitiate: {
      _id: 'rs0',
      members: members.map(({ name, port }, id) => ({
        _id: id,
        host: `127.0.0.1:${port}`,
        priority: priorities[name],
      })),
      settings: { electionTimeoutMillis: 2_000 },
    },
  });
  await waitUntil('a primary', () => isPrimary('right'));
  return {
    url: `mongodb://${members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/?replicaSet=rs0`,
    async makePrimary(name) {
      const other = name === 'right' ? 'ahead' : 'right';
      await adminOf(name).command({ replSetFreeze: 0 });
      // The command fails while the other member has not copied the latest writes.
      await waitUntil(`${other} to step down`, async () => {
        if (await isPrimary(other)) await adminOf(other).command({ replSetStepDown: 120 });
        return true;
      });
      await waitUntil(`${name} to be the primary`, () => isPrimary(name));
    },
    async stop() {
      for (const client of clients.values()) await client.close();
      for (const child of children) await child.stop();
    },
  };
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { mongodBinary, type Report } from './artifacts.ts';
import { nativePart } from './native.ts';
import type { StackPart } from './part.ts';

export interface NativeOptions {
  stateDir: string;
  cacheDir: string;
  port: number;
  report: Report;
  signal?: AbortSignal | undefined;
}

const notYetInitialized = 94;
const notAMember = 93;

/** A replica set of one, so that transactions and change streams work. */
export function nativeMongodb({ stateDir, cacheDir, port, report, signal }: NativeOptions): StackPart {
  const dbpath = join(stateDir, 'data', 'mongodb');
  return nativePart({
    name: 'mongodb',
    url: `mongodb://127.0.0.1:${port}/?replicaSet=rs0&directConnection=true`,
    ports: [{ port, variable: 'SHOPSCOPE_MONGODB_PORT' }],
    stateDir,
    signal,
    readyTimeoutMs: 60_000,
    async command() {
      const command = await mongodBinary({ cacheDir, report, signal });
      await mkdir(dbpath, { recursive: true });
      const network = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
      return { command, args: ['--replSet', 'rs0', '--dbpath', dbpath, '--wiredTigerCacheSizeGB', '0.25', ...network] };
    },
    answers: () => awaitPrimary(port),
  });
}

/** Initiates the set on the first start; resolves once it has a primary. */
async function awaitPrimary(port: number): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
  });
  try {
    const admin = client.db('admin');
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await admin.command({ replSetGetStatus: 1 }).catch(async (error: { code?: number }) => {
      if (error.code === notYetInitialized) return admin.command({ replSetInitiate: { _id: 'rs0', members } });
      if (error.code !== notAMember) throw error;
      // The data was last served on another port; the set of one moves along.
      const config = await client.db('local').collection('system.replset').findOne();
      return admin.command({ replSetReconfig: { ...config, members }, force: true });
    });
    const { isWritablePrimary } = await admin.command({ hello: 1 });
    if (!isWritablePrimary) throw new Error('there is no primary yet');
  } finally {
    await client.close();
  }
}

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { mongodBinary } from './artifacts.ts';
import { type NativeServerOptions, nativePart } from './native.ts';
import type { StackPart } from './part.ts';
import { type Security, writeSecret, writeSecurityFiles } from './security.ts';

export interface NativeMongodbOptions extends NativeServerOptions {
  /** Without it there is no authorization. */
  security?: Security;
}

/**
 * MongoDB keeps the file of a deleted collection or index open until the history of snapshots no longer contains it, and then
 * until the next checkpoint. A run deletes more files than a process may open, so the history is short and checkpoints are frequent.
 * Rarer checkpoints save CPU, because a checkpoint visits every file. Eviction visits every file, too,
 * and a larger cache needs it less often.
 */
const temporary = [
  ...['--wiredTigerCacheSizeGB', '1'],
  ...['--syncdelay', '120', '--setParameter', 'minSnapshotHistoryWindowInSeconds=30'],
  ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
];
const lasting = ['--wiredTigerCacheSizeGB', '0.25'];
const notYetInitialized = 94;
const notAMember = 93;

/** A replica set with one member, so that transactions work. */
export function nativeMongodb(options: NativeMongodbOptions): StackPart {
  const { stateDir, cacheDir, port, report, abort, security, isTemporary = false } = options;
  const dbpath = join(stateDir, 'data', 'mongodb');
  return nativePart({
    name: 'mongodb',
    url: `mongodb://127.0.0.1:${port}/?replicaSet=rs0&directConnection=true${security ? '&tls=true' : ''}`,
    ports: [{ port, variable: 'SHOPSCOPE_MONGODB_PORT' }],
    stateDir,
    abort,
    readyTimeoutMs: 60_000,
    async command() {
      const command = await mongodBinary({ cacheDir, report, abort });
      await mkdir(dbpath, { recursive: true });
      const network = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
      const guard = security ? await guardArguments(join(stateDir, 'mongodb-tls'), security) : [];
      const storage = ['--replSet', 'rs0', '--dbpath', dbpath];
      return { command, args: [...storage, ...network, ...guard, ...(isTemporary ? temporary : lasting)] };
    },
    probe: () => probePrimary(port, security),
  });
}

/**
 * One probe: initiates the replica set on the first start, corrects the member's address, and creates the super user.
 * Rejects while there is no primary; the caller probes again.
 */
async function probePrimary(port: number, security: Security | undefined): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    ...(security && { tls: true, ca: security.ca }),
  });
  try {
    const admin = client.db('admin');
    if (security && (await hasSuperUser(port, security))) return;
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await admin.command({ replSetGetStatus: 1 }).catch(async (error: { code?: number }) => {
      if (error.code === notYetInitialized) return admin.command({ replSetInitiate: { _id: 'rs0', members } });
      if (error.code !== notAMember) throw error;
      // The port has changed since the last start, so the member gets its new address.
      const config = await client.db('local').collection('system.replset').findOne();
      return admin.command({ replSetReconfig: { ...config, members }, force: true });
    });
    const { isWritablePrimary } = await admin.command({ hello: 1 });
    if (!isWritablePrimary) throw new Error('there is no primary yet');
    // While the server has no users, a local connection can create the first user without a login.
    if (security)
      await admin.command({
        createUser: security.superUser.username,
        pwd: security.superUser.password,
        roles: ['root'],
      });
  } finally {
    await client.close();
  }
}

async function hasSuperUser(port: number, { ca, superUser }: Security): Promise<boolean> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true&tls=true`, {
    serverSelectionTimeoutMS: 1_000,
    ca,
    auth: superUser,
  });
  try {
    const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
    return isWritablePrimary === true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

/** TLS, users, and the key file of the replica set. */
async function guardArguments(directory: string, security: Security): Promise<string[]> {
  const { ca, server } = await writeSecurityFiles(directory, security);
  const keyFile = join(directory, 'members.key');
  await writeSecret(keyFile, randomBytes(96).toString('base64'));
  const tls = ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', server, '--tlsCAFile', ca];
  return [...tls, '--tlsAllowConnectionsWithoutCertificates', '--auth', '--keyFile', keyFile];
}

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mongodBinary } from './artifacts.ts';
import { type NativeServerOptions, nativeNode } from './native.ts';
import { nativeNodes, nodeName } from './native-nodes.ts';
import type { StackPart } from './part.ts';
import { probeMember, probeNode, probeReplicaSet } from './replica-set.ts';
import { type Security, writeSecret, writeSecurityFiles } from './security.ts';

export interface NativeMongodbOptions extends Omit<NativeServerOptions, 'port'> {
  /** One for each member. */
  ports: readonly number[];
  /** Without it there is no authorization. With it there is one member. */
  security?: Security;
}

/**
 * MongoDB keeps the file of a deleted collection or index open until the history of snapshots no longer contains it, and then
 * until the next checkpoint. A run deletes more files than a process may open, so the history is short and checkpoints are frequent.
 * Rarer checkpoints save CPU, because a checkpoint visits every file. Eviction visits every file, too,
 * and a larger cache needs it less often.
 */
const temporary = (isSingle: boolean) => [
  ...['--wiredTigerCacheSizeGB', isSingle ? '1' : '0.25'],
  ...['--syncdelay', '120', '--setParameter', 'minSnapshotHistoryWindowInSeconds=30'],
  ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
];
const lasting = ['--wiredTigerCacheSizeGB', '0.25'];
/** A member that ends waits so long for its clients to find another one. The default is 15 s. */
const oneOfSeveral = ['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=1000'];
const readyTimeoutMs = 60_000;

/** A replica set, also of one member, so that transactions work. */
export function nativeMongodb(options: NativeMongodbOptions): StackPart {
  const { stateDir, cacheDir, ports, report, abort, security, isTemporary = false } = options;
  const isSingle = ports.length === 1;
  let isFormed = false;
  const probe = () => probeReplicaSet(ports, security);
  const nodes = ports.map((port, index) => {
    const name = nodeName('mongodb', index, ports.length);
    const dbpath = join(stateDir, 'data', name);
    return nativeNode({
      name,
      ports: [{ port, variable: 'SHOPSCOPE_MONGODB_PORT' }],
      stateDir,
      abort,
      readyTimeoutMs,
      async command() {
        const command = await mongodBinary({ cacheDir, report, abort });
        await mkdir(dbpath, { recursive: true });
        const network = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
        const guard = security ? await guardArguments(join(stateDir, 'mongodb-tls'), security) : [];
        const storage = ['--replSet', 'rs0', '--dbpath', dbpath];
        const effort = [...(isTemporary ? temporary(isSingle) : lasting), ...(isSingle ? [] : oneOfSeveral)];
        return { command, args: [...storage, ...network, ...guard, ...effort] };
      },
      probe: () => (isSingle ? probe() : isFormed ? probeMember(port) : probeNode(port)),
    });
  });
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const direct = `${isSingle ? '&directConnection=true' : ''}${security ? '&tls=true' : ''}`;
  const url = `mongodb://${hosts}/?replicaSet=rs0${direct}`;
  const part = nativeNodes({ name: 'mongodb', url, nodes, probe, readyTimeoutMs, abort });
  return {
    ...part,
    async start() {
      isFormed = false;
      await part.start();
      isFormed = true;
    },
  };
}

/** TLS, users, and the key file of the replica set. */
async function guardArguments(directory: string, security: Security): Promise<string[]> {
  const { ca, server } = await writeSecurityFiles(directory, security);
  const keyFile = join(directory, 'members.key');
  await writeSecret(keyFile, randomBytes(96).toString('base64'));
  const tls = ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', server, '--tlsCAFile', ca];
  return [...tls, '--tlsAllowConnectionsWithoutCertificates', '--auth', '--keyFile', keyFile];
}

import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { redisBinary } from './artifacts.ts';
import { type NativeServerOptions, nativePart } from './native.ts';
import type { StackPart } from './part.ts';
import { withRedis } from './redis-connection.ts';
import { type Security, writeSecret } from './security.ts';
import { tlsRelay } from './tls-relay.ts';

/** The server is built without TLS, so a relay in this process terminates TLS. It ends with this process. */
export interface RedisSecurity extends Security {
  /** Port for clients. The server itself listens on another port. */
  tlsPort: number;
  /** Lines of the ACL file besides the super user's, for example `user gateway on >password ~shopscope:* +get`. */
  acl: readonly string[];
}

export interface NativeRedisOptions extends NativeServerOptions {
  /** Without it there is no authorization. */
  security?: RedisSecurity;
}

/** With an append-only file and no eviction, because idempotency records must survive a kill. */
export function nativeRedis({ stateDir, cacheDir, port, report, abort, security }: NativeRedisOptions): StackPart {
  const directory = join(stateDir, 'data', 'redis');
  const part = nativePart({
    name: 'redis',
    url: security ? `rediss://127.0.0.1:${security.tlsPort}` : `redis://127.0.0.1:${port}`,
    ports: [
      { port, variable: 'SHOPSCOPE_REDIS_PORT' },
      ...(security ? [{ port: security.tlsPort, variable: 'SHOPSCOPE_REDIS_PORT' }] : []),
    ],
    stateDir,
    abort,
    readyTimeoutMs: 60_000,
    async command() {
      const command = await redisBinary({ cacheDir, report, abort });
      await mkdir(directory, { recursive: true });
      // The title stays the command line, because a later start identifies leftover processes by it.
      const network = ['--bind', '127.0.0.1', '--port', String(port), '--set-proc-title', 'no'];
      const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
      const users = security ? ['--aclfile', await writeAcl(join(stateDir, 'redis.acl'), security)] : [];
      return {
        command,
        args: [...network, '--dir', directory, '--maxmemory-policy', 'noeviction', ...durable, ...users],
      };
    },
    probe: () => withRedis(port, (redis) => redis.ping(), security?.superUser),
  });
  if (!security) return part;
  const relay = tlsRelay({ ...security, port: security.tlsPort, targetPort: port });
  return {
    ...part,
    async start() {
      await part.start();
      await relay.start();
    },
    async stop() {
      await relay.stop();
      await part.stop();
    },
  };
}

async function writeAcl(path: string, { superUser, acl }: RedisSecurity): Promise<string> {
  const everything = `user ${superUser.username} on >${superUser.password} ~* &* +@all`;
  await mkdir(dirname(path), { recursive: true });
  await writeSecret(path, `${['user default off', everything, ...acl].join('\n')}\n`);
  return path;
}

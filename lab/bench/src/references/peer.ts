import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import proxy from '@fastify/http-proxy';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { announce } from './announce.ts';

// A plain gateway: Fastify that looks the key up by its hash, limits each key in Redis, and forwards the request. It has no events,
// allowances and batches. Arguments: file with keys, one per line; URL of Redis; URL of peer-store.
const [keysFile = '', redisUrl = '', upstream = ''] = process.argv.slice(2);
const secrets = readFileSync(keysFile, 'utf8').trim().split('\n');
const keys = new Map(secrets.map((secret, n) => [hash('sha256', secret), `key_bench_${n}`]));
const keyOf = (authorization: string | undefined) => keys.get(hash('sha256', authorization?.slice(7) ?? ''));

const app = Fastify();
await app.register(rateLimit, {
  redis: new Redis(redisUrl),
  nameSpace: 'bench-peer-',
  max: 100_000_000,
  timeWindow: '1 minute',
  keyGenerator: ({ headers }) => keyOf(headers.authorization) ?? 'none',
});
app.addHook('onRequest', async ({ headers }, reply) => {
  if (!keyOf(headers.authorization)) await reply.code(401).send();
});
await app.register(proxy, { upstream });
await app.listen({ host: '127.0.0.1', port: 0 });
announce((app.server.address() as AddressInfo).port);

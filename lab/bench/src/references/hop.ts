import { hash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Client, credentials } from '@grpc/grpc-js';
import { type GetStoresResponse, ProfilesServiceService } from '@shopscope/proto';
import express from 'express';
import { Redis } from 'ioredis';
import { announce } from './announce.ts';

// hop-redis-grpc: Express that looks the key up by its hash, counts the request by one Lua call, and gets the bytes by one unary gRPC call.
// It has no events, allowances and batches. Arguments: key, URL of Redis, address of hop-profiles.
const [secret = '', redisUrl = '', profilesAddress = ''] = process.argv.slice(2);
const keys = new Map([[hash('sha256', secret), { keyId: 'key_bench', rpm: 100_000_000 }]]);
const redis = new Redis(redisUrl);
const count = `
local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('EXPIRE', KEYS[1], 60) end
return used <= tonumber(ARGV[1]) and 1 or 0`;
const sha = (await redis.script('LOAD', count)) as string;
const profiles = new Client(profilesAddress, credentials.createInsecure());
const { path, requestSerialize, responseDeserialize } = ProfilesServiceService.getStores;

const bodyOf = (domain: string) =>
  new Promise<Buffer>((resolve, reject) => {
    const request = { domains: [domain] };
    const answer = (error: Error | null, reply?: GetStoresResponse) => {
      if (reply) resolve(reply.bodies);
      else reject(error);
    };
    const deadline = Date.now() + 10_000;
    profiles.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, { deadline }, answer);
  });

const app = express().disable('x-powered-by').disable('etag');
app.get('/v1/stores/:domain', async (request, response) => {
  const key = keys.get(hash('sha256', request.headers.authorization?.slice(7) ?? ''));
  if (!key || (await redis.evalsha(sha, 1, `bench-rate:${key.keyId}`, key.rpm)) !== 1) return response.sendStatus(429);
  const body = await bodyOf(request.params.domain);
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  return response.end(body);
});
const server = app.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));

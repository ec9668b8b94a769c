import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { MongoClient } from 'mongodb';
import { announce } from './announce.ts';

// The service to which peer forwards requests. It answers each by one findOne. Arguments: URL of MongoDB, database of profiles.
const [url = '', database = ''] = process.argv.slice(2);
const mongo = await new MongoClient(url).connect();
const stores = mongo.db(database).collection<{ _id: string; body: Buffer }>('store_bodies', { promoteBuffers: true });

const app = Fastify();
app.get<{ Params: { domain: string } }>('/v1/stores/:domain', async (request, reply) => {
  const found = await stores.findOne({ _id: request.params.domain }, { projection: { body: 1 } });
  if (!found) return reply.code(404).send();
  return reply.type('application/json; charset=utf-8').send(found.body);
});
await app.listen({ host: '127.0.0.1', port: 0 });
announce((app.server.address() as AddressInfo).port);

import type { AddressInfo } from 'node:net';
import express from 'express';
import { MongoClient } from 'mongodb';
import { announce } from './announce.ts';

// Enrich as one `$in` query. It sends the concatenated bodies of the stores, without a key, limits, an envelope and billing.
// Arguments: URL of MongoDB, database of profiles.
const [url = '', database = ''] = process.argv.slice(2);
const mongo = await new MongoClient(url).connect();
const stores = mongo.db(database).collection<{ _id: string; body: Buffer }>('store_bodies', { promoteBuffers: true });
const [open, comma, close] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

const app = express().disable('x-powered-by').disable('etag');
app.post('/v1/stores/enrich', express.json(), async (request, response) => {
  const domains: string[] = request.body.domains;
  const found = await stores
    .find({ _id: { $in: domains } }, { projection: { body: 1 }, batchSize: domains.length + 1 })
    .toArray();
  const parts = found.flatMap(({ body }, n) => (n === 0 ? [open, body] : [comma, body]));
  const bytes = Buffer.concat([...parts, close]);
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
});
const server = app.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));

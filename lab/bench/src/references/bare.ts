import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { announce } from './announce.ts';

// Express without middleware. It sends the same bytes from memory for every request. Arguments: files with a store response and an enrich
// response.
const [storeFile = '', enrichFile = ''] = process.argv.slice(2);
const bytesOf = { store: readFileSync(storeFile), enrich: readFileSync(enrichFile) };

const app = express().disable('x-powered-by').disable('etag');
const send = (response: express.Response, bytes: Buffer) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
};
app.get('/v1/stores/:domain', (_, response) => send(response, bytesOf.store));
app.post('/v1/stores/enrich', (request, response) => {
  request.resume().once('end', () => send(response, bytesOf.enrich));
});
const server = app.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));

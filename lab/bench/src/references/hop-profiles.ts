import { readFileSync } from 'node:fs';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ProfilesServiceService } from '@shopscope/proto';
import { announce } from './announce.ts';

// The gRPC server that hop calls. It returns the same body for every request. Argument: file with a store response.
const bodies = readFileSync(process.argv[2] ?? '');
const stores = [{ offset: 0, length: bodies.length, etag: '"bench"', lastCompletedScanAtMs: Date.now() }];
const server = new Server();
server.addService(
  { getStores: ProfilesServiceService.getStores },
  { getStores: (_: unknown, answer: (error: null, reply: unknown) => void) => answer(null, { bodies, stores }) },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  announce(port);
});

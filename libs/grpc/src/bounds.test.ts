import { Client, credentials, status } from '@grpc/grpc-js';
import { createDeadline } from '@shopscope/async';
import { ProfilesServiceService } from '@shopscope/proto';
import { createRegistry } from '@shopscope/telemetry';
import { silentTelemetry } from '@shopscope/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createGrpcClient, createGrpcServer, maxCallsPerConnection } from './index.ts';

const definition = { getStores: ProfilesServiceService.getStores };
const nothing = { bodies: Buffer.alloc(0), stores: [] };

describe('bounds of a gRPC server', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  async function serve(handler: () => Promise<typeof nothing>) {
    const { logger } = silentTelemetry();
    const server = createGrpcServer({
      host: '127.0.0.1',
      port: 0,
      logger,
      registry: createRegistry({ service: 'test' }),
    });
    server.addService(definition, { getStores: handler });
    const address = await server.listen();
    cleanups.push(() => server.stop(100));
    return address;
  }

  it('a connection runs a bounded number of calls at the same time, and further calls wait at the client', async () => {
    const gate = Promise.withResolvers<typeof nothing>();
    const full = Promise.withResolvers<void>();
    let running = 0;
    const address = await serve(() => {
      running++;
      if (running === maxCallsPerConnection) full.resolve();
      return gate.promise;
    });
    const client = createGrpcClient({ definition, address });
    cleanups.push(client.close);
    const call = () => client.getStores({ domains: [] }, { deadline: createDeadline(10_000) });
    const calls = Array.from({ length: maxCallsPerConnection + 50 }, call);
    await full.promise;
    // What the client sent with the last call would arrive in the same turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(running).toBe(maxCallsPerConnection);
    gate.resolve(nothing);
    expect(await Promise.all(calls)).toHaveLength(maxCallsPerConnection + 50);
    expect(running).toBe(maxCallsPerConnection + 50);
  });

  it('a message above 16 MiB is refused, and no handler runs', async () => {
    let handled = 0;
    const address = await serve(async () => {
      handled++;
      return nothing;
    });
    const client = new Client(address, credentials.createInsecure(), { 'grpc.max_send_message_length': -1 });
    cleanups.push(() => client.close());
    const { path } = definition.getStores;
    const send = (bytes: number) =>
      new Promise<number>((resolve) => {
        const plain = (value: Buffer) => value;
        // A member that the server does not know, of any length.
        const body = Buffer.concat([Buffer.from([0xfa, 0x7f, ...varint(bytes)]), Buffer.alloc(bytes)]);
        client.makeUnaryRequest(path, plain, plain, body, (error) => resolve(error?.code ?? status.OK));
      });
    expect(await send(16 * 1024 * 1024)).toBe(status.RESOURCE_EXHAUSTED);
    expect(handled).toBe(0);
    expect(await send(15 * 1024 * 1024)).toBe(status.OK);
    expect(handled).toBe(1);
  });
});

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

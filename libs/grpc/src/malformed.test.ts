import { Client, credentials, status } from '@grpc/grpc-js';
import { AppError } from '@shopscope/errors';
import { ProfilesServiceService } from '@shopscope/proto';
import { recordingTelemetry } from '@shopscope/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createGrpcClient, createGrpcServer, type Handlers } from './index.ts';

const definition = { getStores: ProfilesServiceService.getStores };
const nothing = { bodies: Buffer.alloc(0), stores: [] };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(getStores: Handlers<typeof definition>['getStores']) {
  const telemetry = recordingTelemetry();
  const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...telemetry });
  server.addService(definition, { getStores });
  const address = await server.listen();
  const raw = new Client(address, credentials.createInsecure());
  const client = createGrpcClient({ definition, address });
  cleanups.push(
    () => raw.close(),
    () => client.close(),
    () => server.stop(100),
  );
  const plain = (value: Buffer) => value;
  const send = (bytes: Buffer) =>
    new Promise<number>((resolve) => {
      raw.makeUnaryRequest(definition.getStores.path, plain, plain, bytes, (error) =>
        resolve(error?.code ?? status.OK),
      );
    });
  return { client, send, ...telemetry };
}

describe('bytes that are not a message', () => {
  it.each([
    ['bytes of ones', Buffer.alloc(64, 0xff)],
    ['a length beyond the message', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x7f])],
    ['a field without a value', Buffer.from([0x0a])],
    ['groups without an end', Buffer.alloc(5_000, 0x0b)],
  ])(
    'bytes that are not a message are refused as an invalid argument, counted and logged, and no handler runs: %s',
    async (_, bytes) => {
      let handled = 0;
      const { send, registry, lines } = await serve(async () => {
        handled++;
        return nothing;
      });
      expect(await send(bytes)).toBe(status.INVALID_ARGUMENT);
      expect(handled).toBe(0);
      expect(lines).toMatchObject([{ level: 'info', code: 'invalid_request', msg: 'call refused' }]);
      expect(await registry.metrics()).toMatch(
        /grpc_server_duration_seconds_count\{[^}]*code="invalid_request"[^}]*\} 1\n/,
      );
      expect(await send(Buffer.alloc(0))).toBe(status.OK);
    },
  );
});

describe('error that repeats what the caller sent', () => {
  it.each([
    ['100,000 characters', 'x'.repeat(100_000)],
    ['100,000 characters of three bytes', '☃'.repeat(100_000)],
    ['half a character', `a\ud800${'x'.repeat(2_000)}`],
    ['control characters', '\0\r\n\x7f'],
  ])(
    'an error that repeats what the caller sent reaches the caller, and the connection continues: %s',
    async (_, text) => {
      const { client } = await serve(async ({ domains }) => {
        if (domains.length > 0) throw new AppError('invalid_request', text);
        return nothing;
      });
      const refused = client.getStores({ domains: ['a.example'] });
      await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
      const message = await refused.catch((error: AppError) => error.publicMessage);
      expect(message).toBe(text.slice(0, 1_000).toWellFormed());
      expect(await client.getStores({ domains: [] })).toEqual(nothing);
    },
  );
});

import { Client, credentials, status } from '@grpc/grpc-js';
import type { UnaryDefinition } from '@shopscope/grpc';
import * as proto from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asking } from '../isolation/rpc-row.ts';
import { rpcRows } from '../isolation/rpc-rows.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { type MalformedMessage, malformedMessages } from './malformed-messages.ts';

const definitions: [name: string, service: string, definition: UnaryDefinition][] = [
  ['keys', 'shopscope.keys.v1.KeysService', proto.KeysServiceService],
  ['metering', 'shopscope.metering.v1.MeteringService', proto.MeteringServiceService],
  ['profiles', 'shopscope.profiles.v1.ProfilesService', proto.ProfilesServiceService],
  ['scan-scheduler', 'shopscope.scans.v1.ScanSchedulerService', proto.ScanSchedulerServiceService],
  ['subscriptions', 'shopscope.subscriptions.v1.SubscriptionsService', proto.SubscriptionsServiceService],
  ['webhooks', 'shopscope.webhooks.v1.WebhooksService', proto.WebhooksServiceService],
  ['search', 'shopscope.search.v1.SearchService', proto.SearchServiceService],
  ['dashboard', 'shopscope.dashboard.v1.DashboardService', proto.DashboardServiceService],
];
const methods = definitions.flatMap(([name, service, definition]) =>
  Object.entries(definition).map(([method, { path }]) => ({
    name,
    service,
    method,
    path,
    definition: definition[method],
  })),
);

/** `.ci/nightly` sends all messages to each method. Otherwise each method gets a twelfth of them, and its neighbors get the others. */
const shares = process.env.SHOPSCOPE_NIGHTLY === 'true' ? 1 : 12;

/** The codes of a refusal of the message, and of a message that is valid after all. */
const answered = new Set([status.OK, status.INVALID_ARGUMENT, status.NOT_FOUND, status.ALREADY_EXISTS]);

export type RecordedMessages = ReturnType<typeof recordMessages>;

/** Records the longest message of each method that a client in this process sends, by path. */
export function recordMessages() {
  const sent = new Map<string, { message: object; bytes: number }>();
  const undo = methods.map(({ definition }) => {
    if (!definition) throw new Error('a method has no definition');
    const { requestSerialize } = definition;
    definition.requestSerialize = (message: object) => {
      const bytes = requestSerialize(message);
      if (bytes.length >= (sent.get(definition.path)?.bytes ?? 0)) {
        sent.set(definition.path, { message, bytes: bytes.length });
      }
      return bytes;
    };
    return () => {
      definition.requestSerialize = requestSerialize;
    };
  });
  return { sent, stop: () => undo.forEach((each) => void each()) };
}

/**
 * Malformed messages for every method of every service, as bytes. A valid message of each method is one that the isolation matrix sends, and
 * that matrix covers every method. None of them may be answered with INTERNAL or UNKNOWN, and the connection stays. The system serves
 * nothing else afterwards.
 */
export function describeMalformedMessages(system: () => { asking: Asking; recorded: RecordedMessages }): void {
  describe('malformed messages', () => {
    const valid = new Map<string, object>();
    const errors: unknown[] = [];
    const keepError = (error: unknown) => void errors.push(error);
    const counts = new Map<string, Map<string, number>>();

    beforeAll(async () => {
      process.on('unhandledRejection', keepError);
      const { asking, recorded } = system();
      for (const { path, service, method } of methods) {
        // The tests of the matrix have sent them, unless they were filtered out.
        if (!recorded.sent.has(path)) await rpcRows[service]?.[method]?.ask(asking);
      }
      for (const [path, { message }] of recorded.sent) valid.set(path, message);
      // LeaseScan waits for a scan as long as the message says. Only the messages with another wait may wait, up to the bound of the service.
      const { path: leaseScan } = proto.ScanSchedulerServiceService.leaseScan;
      valid.set(leaseScan, { ...valid.get(leaseScan), waitMs: 1 });
    });
    afterAll(() => {
      process.off('unhandledRejection', keepError);
      for (const [name, codes] of counts) {
        const total = [...codes.values()].reduce((sum, count) => sum + count, 0);
        const listed = [...codes].map(([code, count]) => `${code}: ${count}`).join(', ');
        console.info(`gRPC of ${name}: ${total} malformed messages. ${listed}`);
      }
    });

    const services = () => system().asking.env.services;
    const addressOf = (name: string) => services().find((service) => service.name === name)?.grpcAddress ?? '';

    const plain = (bytes: Buffer) => bytes;
    const send = (client: Client, path: string, { bytes }: MalformedMessage) =>
      new Promise<{ code: status; details: string }>((resolve) => {
        client.makeUnaryRequest(path, plain, plain, bytes, { deadline: Date.now() + 30_000 }, (error) =>
          resolve({ code: error?.code ?? status.OK, details: error?.details ?? '' }),
        );
      });

    it('every method of the contracts is sent malformed messages', () => {
      const all = Object.entries(proto).filter(([name]) => name.endsWith('ServiceService'));
      expect(all).toHaveLength(definitions.length);
      expect(methods.filter(({ path }) => !valid.has(path)).map(({ path }) => path)).toEqual([]);
    });

    it.each(methods)(
      '$service/$method answers malformed messages without INTERNAL and UNKNOWN',
      async ({ name, path, definition }) => {
        const client = new Client(addressOf(name), credentials.createInsecure(), {
          'grpc.max_send_message_length': -1,
        });
        const codes = counts.get(name) ?? new Map<string, number>();
        counts.set(name, codes);
        const unexpected: string[] = [];
        const all = malformedMessages(definition as UnaryDefinition[string], valid.get(path) as object);
        const at = methods.findIndex((each) => each.path === path);
        const messages = all.filter((_, index) => (index + at) % shares === 0);
        await mapConcurrently(messages, 16, async (message) => {
          const { code, details } = await send(client, path, message);
          const word = status[code];
          codes.set(word, (codes.get(word) ?? 0) + 1);
          const isExpected = message.isUndecodable ? code === status.INVALID_ARGUMENT : answered.has(code);
          if (!isExpected) unexpected.push(`${word} to ${message.name}: ${details}`);
        });
        client.close();
        expect(unexpected).toEqual([]);
      },
    );

    it('every service is ready after the malformed messages, without an unhandled rejection', async () => {
      expect(errors).toEqual([]);
      const ready = await Promise.all(services().map(({ adminUrl }) => fetch(`${adminUrl}/readyz`)));
      expect(ready.map(({ status }) => status)).toEqual(ready.map(() => 200));
    });
  });
}

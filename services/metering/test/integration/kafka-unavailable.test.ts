import { createGrpcClient } from '@shopscope/grpc';
import { MeteringServiceService, ReserveOutcome, unitsOf } from '@shopscope/proto';
import { serviceEnvironment, testNamespace } from '@shopscope/testing';
import { afterAll, expect, it } from 'vitest';
import { loadConfig, startMetering } from '../../src/index.ts';
import { eventOf, itemOf, newWorkspace } from './harness.ts';

const namespace = testNamespace('kafka-unavailable');
afterAll(() => namespace.cleanup());

it('metering without Kafka starts, reserves, and counts the events of RecordUsage', async () => {
  const service = await startMetering(
    loadConfig({
      ...serviceEnvironment(namespace, 'metering'),
      // No server listens on the discard port.
      KAFKA_BROKERS: '127.0.0.1:9',
    }),
  );
  const client = createGrpcClient({ definition: MeteringServiceService, address: service.grpcAddress as string });
  try {
    expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200);
    const workspaceId = newWorkspace();
    const items = Array.from({ length: 50 }, () => itemOf(workspaceId));
    const { results } = await client.reserve({ items });
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set([ReserveOutcome.GRANTED]));
    // A gateway under load makes this many concurrent calls.
    await Promise.all(items.map((item, n) => client.recordUsage({ events: [eventOf(item, results[n] as never)] })));
    const { balance } = await client.getUsage({ workspaceId });
    expect(balance).toMatchObject({ used: unitsOf({ lookupCached: 50 }), reserved: unitsOf({}) });
  } finally {
    client.close();
    await service.stop();
  }
}, 60_000);

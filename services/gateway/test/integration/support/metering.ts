import { periodAt, systemClock } from '@shopscope/clock';
import { createGrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { loadConfig, startMetering } from '@shopscope/metering';
import { type Balance, MeteringServiceService, ReserveOutcome, type Units, UsageKind } from '@shopscope/proto';
import { serviceEnvironment, testNamespace } from '@shopscope/testing';
import { expect, vi } from 'vitest';

/**
 * The real metering in this process, on MongoDB and Kafka of its own namespace. It counts what the gateways of this
 * namespace bill.
 */
export async function startTestMetering(env: Record<string, string> = {}) {
  const namespace = testNamespace('gw');
  const service = await startMetering(loadConfig({ ...serviceEnvironment(namespace, 'metering'), ...env }), {
    clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
    onFatal(error) {
      throw error;
    },
  });
  const client = createGrpcClient({ definition: MeteringServiceService, address: service.grpcAddress as string });

  const balanceOf = async (workspaceId: string): Promise<Record<'used' | 'reserved' | 'taken', Units>> => {
    const { balances } = await client.getBalance({ workspaceIds: [workspaceId] });
    const { used = noUnits, reserved = noUnits, taken = noUnits } = balances[0] as Balance;
    return { used, reserved, taken };
  };
  const balanceBecomes = (workspaceId: string, { used, reserved }: Record<'used' | 'reserved', Partial<Units>>) => {
    const wanted = { used: { ...noUnits, ...used }, reserved: { ...noUnits, ...reserved } };
    return vi.waitFor(async () => expect(await balanceOf(workspaceId)).toMatchObject(wanted), 60_000);
  };
  return {
    namespace,
    client,
    /** The period that is running for metering. */
    period: periodAt(middleOfNextMonthMs),
    balanceOf,
    /** Resolves when metering has counted this many units for the workspace, and nothing else is reserved. */
    counted: (workspaceId: string, used: Partial<Units>) => balanceBecomes(workspaceId, { used, reserved: {} }),
    /**
     * Resolves when metering has counted this many units for the workspace. Lent units do not matter, because they
     * return later.
     */
    used: (workspaceId: string, units: Partial<Units>) =>
      expect.poll(async () => (await balanceOf(workspaceId)).used).toMatchObject(units),
    /** Resolves when this many units are reserved for the workspace, and none is counted. */
    reserved: (workspaceId: string, reserved: Partial<Units>) => balanceBecomes(workspaceId, { used: {}, reserved }),
    /** Bills units as a gateway does, over gRPC. */
    async spend({ workspaceId, keyId }: { workspaceId: string; keyId: string }, units: Partial<Units>) {
      const charge = { chargeId: newId('chg'), workspaceId, keyId, units: { ...noUnits, ...units } };
      const plenty = { lookupCached: 1e6, lookupLive: 1e6, historyQuery: 1e6, refreshRequested: 1e6 };
      const item = { ...charge, included: plenty, fingerprint: Buffer.alloc(0), executionId: '', requestId: '' };
      const { results } = await client.reserve({ items: [item] });
      const [reserved] = results;
      if (reserved?.outcome !== ReserveOutcome.GRANTED) throw new Error('metering did not grant the units');
      const { attempt, periodStartMs } = reserved;
      const event = {
        ...charge,
        kind: UsageKind.CHARGE,
        attempt,
        periodStartMs,
        occurredAtMs: Date.now(),
        operation: '',
      };
      await client.recordUsage({ events: [event] });
    },
    /** Stops metering, and drops everything of the namespace. */
    async stop() {
      client.close();
      await service.stop();
      await namespace.cleanup();
    },
  };
}

export type TestMetering = Awaited<ReturnType<typeof startTestMetering>>;

const noUnits: Units = { lookupCached: 0, lookupLive: 0, historyQuery: 0, refreshRequested: 0 };

/** Metering's time is ahead, in the middle of a month: no period ends during a test, and MongoDB expires nothing. */
const middleOfNextMonthMs = periodAt(Date.now()).endMs + 14 * 24 * 3_600_000;
const aheadMs = middleOfNextMonthMs - Date.now();

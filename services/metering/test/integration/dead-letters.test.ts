import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDeadline } from '@shopscope/async';
import { consumeEvents } from '@shopscope/kafka';
import { unitsOf, usageRecorded } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { reserveItem } from '../../src/inbound/decode.ts';
import { usageGroup, usageRecordedSubscription } from '../../src/inbound/kafka/usage-recorded.ts';
import { getUsage } from '../../src/operations/get-usage.ts';
import { reserve } from '../../src/operations/reserve.ts';
import { eventOf, itemOf, type Metering, newWorkspace, origin, startMeterings } from './harness.ts';

const script = fileURLToPath(new URL('../../../../tools/dlq/src/main.ts', import.meta.url));

describe('dead letters of usage events', () => {
  let metering: Metering;
  beforeAll(async () => {
    metering = await startMeterings('dead-letters', { instances: 0 });
  });
  afterAll(() => metering?.stop());

  /** Runs `npm run dlq -- …` as its bootstrap does. */
  const dlq = async (...args: string[]) => {
    const options = ['--conditions=@shopscope/source', script, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, options, {
      env: { ...process.env, SHOPSCOPE_ENV: 'test', ...metering.kafkaEnv },
      timeout: 60_000,
    });
    return stdout;
  };
  const balanceOf = async (workspaceId: string) => {
    const { balance } = await getUsage(metering.deps, workspaceId, { origin, deadline: createDeadline(5_000) });
    return { used: balance.used, reserved: balance.reserved };
  };

  it('a dead letter of a usage event is listed with its reason, replayed by command, and counted once by the fixed version', async () => {
    const workspaceId = newWorkspace();
    const items = [1, 2, 4].map((lookupCached) => itemOf(workspaceId, { units: { lookupCached } }));
    const results = await reserve(metering.deps, items.map(reserveItem), createDeadline(5_000));
    const events = items.map((item, n) => eventOf(item, results[n] as never));
    const failing = items[1]?.chargeId ?? '';

    const { handle } = usageRecordedSubscription(metering.deps);
    const faulty = await consumeEvents(metering.kafka, {
      groupId: usageGroup,
      producer: metering.producer,
      onFatal: () => {},
      subscriptions: [
        {
          type: usageRecorded.live,
          async handle(received) {
            if (received.some(({ event }) => event.chargeId === failing)) throw new TypeError('units of undefined');
            await handle(received);
          },
        },
      ],
    });
    await metering.publish(events);
    await vi.waitFor(async () => expect(await metering.deadLetters()).toBe(1), { timeout: 60_000 });
    await vi.waitFor(async () => expect(await faulty.lag()).toBe(0), { timeout: 60_000 });
    await faulty.stop();
    expect(await balanceOf(workspaceId)).toEqual({
      used: unitsOf({ lookupCached: 5 }),
      reserved: unitsOf({ lookupCached: 2 }),
    });

    await metering.startInstance();
    expect(await dlq('list')).toContain('usage.v1: 1 of 1 wait');
    expect(await dlq('list', 'usage.v1')).toMatch(/units of undefined.*"groupId":"metering"/);
    // Without --yes the command changes nothing.
    expect(await dlq('replay', 'usage.v1')).toContain('1 dead letters of usage.v1 would be published again');
    expect(await dlq('list')).toContain('usage.v1: 1 of 1 wait');

    expect(await dlq('replay', 'usage.v1', '--yes')).toContain(
      '1 dead letters of usage.v1 were published again\n0 wait',
    );
    expect(await dlq('replay', 'usage.v1', '--yes')).toContain('0 dead letters');
    await metering.settle();
    const counted = { used: unitsOf({ lookupCached: 7 }), reserved: unitsOf({}) };
    expect(await balanceOf(workspaceId)).toEqual(counted);

    // A replay that was interrupted before it stored its position publishes the dead letter again. This changes nothing.
    const admin = metering.kafka.client.admin();
    await admin.connect();
    await admin.deleteGroups([metering.kafka.groupName('replay.usage.v1.dlq')]);
    await admin.disconnect();
    expect(await dlq('replay', 'usage.v1', '--yes')).toContain('1 dead letters');
    await metering.settle();
    expect(await balanceOf(workspaceId)).toEqual(counted);
    expect(await metering.deadLetters()).toBe(1);
  }, 180_000);
});

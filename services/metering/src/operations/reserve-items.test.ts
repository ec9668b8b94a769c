import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { unitsOf } from '@shopscope/proto';
import { expect, it, vi } from 'vitest';
import type { ReserveItem } from '../domain/charge.ts';
import type { Dependencies, Queues } from './dependencies.ts';
import { reserveItems } from './reserve-items.ts';

it('reserveItems logs undecided charges with their request ids', async () => {
  const error = vi.fn();
  const deps = { clock: new ManualClock(), logger: { error } } as unknown as Dependencies;
  const submit = async ({ chargeId }: ReserveItem) => {
    if (chargeId === 'chg_2') throw new Error('the database is unavailable');
    return { outcome: 'granted' };
  };
  const queues = { reservations: { submit } } as unknown as Queues;
  const items = ['chg_1', 'chg_2'].map((chargeId) => ({
    chargeId,
    requestId: `req_of_${chargeId}`,
    fingerprint: '',
    units: unitsOf({ lookupCached: 1 }),
  }));
  const context = {
    origin: { requestId: 'req_1', traceparent: '', environment: 'live' as const },
    deadline: createDeadline(1_000, { clock: deps.clock }),
  };
  const results = await reserveItems(deps, queues, items as ReserveItem[], context);
  expect(results).toEqual([{ outcome: 'granted' }, undefined]);
  const line = { items: 1, chargeIds: ['chg_2'], requestIds: ['req_of_chg_2'], environment: 'live' };
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(line), 'items undecided');
});

it('reserveItems returns an item as undecided shortly before the deadline, and the decisions of the other items', async () => {
  const clock = new ManualClock();
  const deps = { clock, logger: { error: () => {} } } as unknown as Dependencies;
  const submit = ({ workspaceId }: ReserveItem) =>
    workspaceId === 'ws_stuck' ? new Promise(() => {}) : Promise.resolve({ outcome: 'granted' });
  const queues = { reservations: { submit } } as unknown as Queues;
  const items = ['ws_stuck', 'ws_other'].map((workspaceId) => ({
    workspaceId,
    chargeId: `chg_${workspaceId}`,
    fingerprint: '',
    units: unitsOf({ lookupCached: 1 }),
  }));
  for (const remainingMs of [10_000, 100]) {
    const context = {
      origin: { requestId: 'req_1', traceparent: '', environment: 'live' as const },
      deadline: createDeadline(remainingMs, { clock }),
    };
    const results = reserveItems(deps, queues, items as ReserveItem[], context);
    // The other item is decided before the deadline.
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(remainingMs - 1);
    expect(await results).toEqual([undefined, { outcome: 'granted' }]);
  }
});

it('reserveItems logs a refused charge with its request id and environment, and does not log a granted one', async () => {
  const info = vi.fn();
  const deps = { clock: new ManualClock(), logger: { info } } as unknown as Dependencies;
  const submit = async ({ chargeId }: ReserveItem) =>
    chargeId === 'chg_2' ? { outcome: 'exhausted', unit: 'lookupLive' } : { outcome: 'granted' };
  const queues = { reservations: { submit } } as unknown as Queues;
  const items = ['chg_1', 'chg_2'].map((chargeId) => ({
    chargeId,
    requestId: `req_of_${chargeId}`,
    workspaceId: 'ws_1',
    keyId: 'key_1',
    fingerprint: '',
    units: unitsOf({ lookupLive: 1 }),
  }));
  const context = {
    origin: { requestId: 'req_of_chg_1', traceparent: '', environment: 'live' as const },
    deadline: createDeadline(1_000, { clock: deps.clock }),
  };
  await reserveItems(deps, queues, items as ReserveItem[], context);
  const named = { requestId: 'req_of_chg_2', chargeId: 'chg_2', workspaceId: 'ws_1', keyId: 'key_1' };
  const line = { ...named, environment: 'live', outcome: 'exhausted', unit: 'lookup_live' };
  expect(info).toHaveBeenCalledExactlyOnceWith(line, 'charge refused');
});

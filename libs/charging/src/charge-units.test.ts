import { ManualClock } from '@shopscope/clock';
import { noUnits, ReserveOutcome, type ReserveResult, UsageKind, type UsageRecorded, unitsOf } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import type { Payer } from './caller-request.ts';
import type { ChargeRequest } from './charge.ts';
import { type ChargeDependencies, chargeUnits } from './charge-units.ts';
import { OutcomeUnknownError, RequestBilling } from './request-billing.ts';
import { createRequestDeadline } from './request-deadline.ts';

const caller = {
  keyId: 'key_1',
  workspaceId: 'ws_1',
  plan: { included: unitsOf({ lookupCached: 100 }) },
} as Payer;
const balance = {
  periodStartMs: 0,
  periodEndMs: Date.UTC(2026, 1, 1),
  taken: unitsOf({ lookupCached: 5 }),
  used: undefined,
  reserved: undefined,
};
const granted: ReserveResult = {
  outcome: ReserveOutcome.GRANTED,
  attempt: 1,
  units: unitsOf({ lookupCached: 2 }),
  periodStartMs: 0,
  exhaustedUnit: '',
  lentForMs: 0,
  balance,
};

function setUp(reserved: ReserveResult | ReserveResult[] = granted) {
  const clock = new ManualClock();
  const deadline = createRequestDeadline(clock);
  const billing = new RequestBilling();
  const steps: string[] = [];
  const fails = new Set<string>();
  const during = new Map<string, () => void>();
  const step = async (name: string) => {
    steps.push(name);
    during.get(name)?.();
    if (fails.has(name)) throw new Error(`${name} failed`);
  };
  const published: UsageRecorded[] = [];
  const deps: ChargeDependencies = {
    clock,
    onCharge: () => {},
    balances: { put: () => {} },
    leases: { charge: async () => undefined },
    events: {
      async publishUsage(event) {
        await step(event.kind === UsageKind.VOID ? 'void by kafka' : 'kafka');
        published.push(event);
      },
    },
    metering: {
      reserve: async () => {
        await step('reserve');
        return Array.isArray(reserved) ? (reserved.shift() ?? granted) : reserved;
      },
      recordUsage: async (_event, _origin, limit) => {
        limit.timeoutMs();
        await step('grpc');
      },
      voidCharge: async (_request, _origin, limit) => {
        limit.timeoutMs();
        await step('void by grpc');
        return { counts: fails.has('void is too late') };
      },
      getBalance: async () => balance,
    },
  };
  const charge = (over: Partial<Pick<ChargeRequest, 'units' | 'fingerprint' | 'beforeEvent'>> = {}) =>
    chargeUnits(deps, {
      chargeId: 'chg_1',
      fingerprint: Buffer.alloc(0),
      units: unitsOf({ lookupCached: 2 }),
      operation: 'enrichStores',
      caller,
      origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
      deadline,
      billing,
      beforeEvent: () => step('promises'),
      ...over,
    });
  return { clock, deadline, billing, steps, fails, published, charge, during };
}

describe('chargeUnits', () => {
  it('a charge is reserved, then its promises become durable, then its usage event', async () => {
    const { charge, steps, published, billing } = setUp();
    const charged = await charge();
    expect(steps).toEqual(['reserve', 'promises', 'kafka']);
    expect(published).toMatchObject([
      { chargeId: 'chg_1', attempt: 1, units: { lookupCached: 2 }, operation: 'enrichStores' },
    ]);
    expect(charged).toMatchObject({ units: { lookupCached: 2 }, remaining: 95 });
    // An error response would state that nothing was billed.
    expect(billing.mayBeBilled).toBe(true);
    expect(billing).toMatchObject({ chargeId: 'chg_1', units: { lookupCached: 2 }, earlier: undefined });
  });

  it('a charge is recorded over gRPC when Kafka does not accept its usage event', async () => {
    const { charge, steps, fails } = setUp();
    fails.add('kafka');
    await charge();
    expect(steps).toEqual(['reserve', 'promises', 'kafka', 'grpc']);
  });

  it('a charge that neither Kafka nor metering accepts is voided, and responds internal when one void is durable', async () => {
    for (const down of ['void by grpc', 'void by kafka']) {
      const { charge, steps, fails, billing } = setUp();
      for (const name of ['kafka', 'grpc', down]) fails.add(name);
      await expect(charge()).rejects.toMatchObject({ code: 'internal' });
      expect(steps.slice(4)).toEqual(['void by grpc', 'void by kafka']);
      expect(billing.mayBeBilled).toBe(false);
      expect(billing).toMatchObject({ chargeId: 'chg_1', units: undefined });
    }
  });

  it('a charge with an Idempotency-Key responds internal only when metering has voided it', async () => {
    const withKey = { fingerprint: Buffer.from('body') };
    for (const failure of ['void is too late', 'void by grpc']) {
      const { charge, fails, billing } = setUp();
      for (const name of ['kafka', 'grpc', failure]) fails.add(name);
      await expect(charge(withKey)).rejects.toBeInstanceOf(OutcomeUnknownError);
      expect(billing.mayBeBilled).toBe(true);
    }
    const { charge, fails, billing } = setUp();
    for (const name of ['kafka', 'grpc', 'void by kafka']) fails.add(name);
    await expect(charge(withKey)).rejects.toMatchObject({ code: 'internal' });
    expect(billing.mayBeBilled).toBe(false);
  });

  it('a charge without a durable void withholds the response', async () => {
    const { charge, fails, billing } = setUp();
    for (const name of ['kafka', 'grpc', 'void by grpc', 'void by kafka']) fails.add(name);
    await expect(charge()).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(billing.mayBeBilled).toBe(true);
    // The charge may be billed. The log line needs its id and its units.
    expect(billing).toMatchObject({ chargeId: 'chg_1', units: { lookupCached: 2 } });
  });

  it('a charge that was settled before returns its recorded units and publishes no second event', async () => {
    const settled = { ...granted, outcome: ReserveOutcome.ALREADY_SETTLED, units: unitsOf({ lookupCached: 9 }) };
    const { charge, steps, billing } = setUp(settled);
    const charged = await charge();
    expect(billing).toEqual({ chargeId: 'chg_1', units: undefined, earlier: 'settled_before' });
    expect(charged.units.lookupCached).toBe(9);
    expect(steps).toEqual(['reserve', 'promises']);
    await charged.voidCharge();
    expect(steps).toEqual(['reserve', 'promises']);
  });

  it('a charge with an exhausted allowance is 402 with reset_at and unit, before any side effect', async () => {
    const { charge, steps, billing } = setUp({
      ...granted,
      outcome: ReserveOutcome.EXHAUSTED,
      exhaustedUnit: 'lookup_cached',
      balance: { ...balance, taken: unitsOf({ lookupCached: 99 }) },
    });
    await expect(charge()).rejects.toMatchObject({
      code: 'payment_required',
      publicMessage: 'This request needs 2 lookup_cached; 1 is left of 100 until 2026-02-01T00:00:00.000Z.',
      details: { reset_at: '2026-02-01T00:00:00.000Z', unit: 'lookup_cached' },
    });
    expect(steps).toEqual(['reserve']);
    expect(billing).toMatchObject({ chargeId: 'chg_1', units: undefined });
  });

  it('a charge with the fingerprint of another body is a conflict', async () => {
    const { charge } = setUp({ ...granted, outcome: ReserveOutcome.FINGERPRINT_MISMATCH });
    await expect(charge()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('a charge whose promises cannot become durable publishes no usage event and releases its reservation', async () => {
    const { charge, steps, fails, billing } = setUp();
    fails.add('promises');
    await expect(charge()).rejects.toThrow('promises failed');
    expect(steps).toEqual(['reserve', 'promises', 'void by grpc']);
    expect(billing.mayBeBilled, 'the caller gets an error').toBe(false);
  });

  it('a charge whose caller disconnects before the commit begins does nothing, and releases its reservation', async () => {
    const { charge, steps, during, deadline, billing } = setUp();
    during.set('reserve', () => deadline.cancel());
    await expect(charge()).rejects.toMatchObject({ code: 'internal' });
    expect(steps).toEqual(['reserve', 'void by grpc']);
    expect(billing.mayBeBilled).toBe(false);
  });

  it('a charge whose caller disconnects while its promises become durable is billed, because what is done is billed', async () => {
    const { charge, steps, during, deadline, billing } = setUp();
    during.set('promises', () => {
      expect(billing.mayBeBilled, 'an error now would state that nothing is billed').toBe(true);
      deadline.cancel();
    });
    await charge();
    expect(steps).toEqual(['reserve', 'promises', 'kafka']);
    expect(billing.units).toMatchObject({ lookupCached: 2 });
  });

  it('a charge gives its promises a deadline that a disconnecting caller does not cancel, and that ends with the work', async () => {
    const { charge, deadline, clock } = setUp();
    clock.advance(9_000);
    await charge({
      async beforeEvent(_, commitDeadline) {
        deadline.cancel();
        expect(commitDeadline.remainingMs).toBe(1_000);
      },
    });
  });

  it('a charge whose caller disconnects after the commit has begun is recorded or voided all the same', async () => {
    for (const isRecorded of [true, false]) {
      const { charge, steps, fails, during, deadline } = setUp();
      for (const name of isRecorded ? ['kafka'] : ['kafka', 'grpc']) fails.add(name);
      during.set('kafka', () => deadline.cancel());
      const charged = await charge().catch(({ code }) => code);
      const rest = isRecorded ? ['grpc'] : ['grpc', 'void by grpc', 'void by kafka'];
      expect(charged).toEqual(isRecorded ? expect.objectContaining({ remaining: 95 }) : 'internal');
      expect(steps.slice(3, 6)).toEqual(rest);
    }
  });

  it('a charge of no units is reserved and publishes no usage event', async () => {
    const { charge, steps } = setUp();
    await charge({ units: noUnits });
    expect(steps).toEqual(['reserve', 'promises']);
  });

  it('a charge is void when voidCharge resolves', async () => {
    const { charge, steps, fails, billing } = setUp();
    const charged = await charge();
    fails.add('void by kafka');
    await charged.voidCharge();
    expect(steps.slice(3)).toEqual(['void by grpc', 'void by kafka']);
    expect(billing.mayBeBilled).toBe(false);
    expect(billing.units).toBeUndefined();
  });

  it('a charge withholds the response when its void is not confirmed or came too late', async () => {
    for (const failure of ['void by grpc', 'void is too late']) {
      const { charge, fails, billing } = setUp();
      const charged = await charge();
      fails.add(failure);
      await expect(charged.voidCharge()).rejects.toBeInstanceOf(OutcomeUnknownError);
      expect(billing.mayBeBilled).toBe(true);
    }
  });

  it('a charge waits once, for the return of the units of the leases that hold the rest of the allowance', async () => {
    const lent = { ...granted, outcome: ReserveOutcome.LENT, lentForMs: 1_500 };
    const first = setUp([lent, granted]);
    const charged = first.charge();
    await new Promise(setImmediate);
    first.clock.advance(2_000);
    await new Promise(setImmediate);
    expect(first.steps).toEqual(['reserve']);
    first.clock.advance(100);
    await charged;
    expect(first.steps.slice(0, 2)).toEqual(['reserve', 'reserve']);

    const second = setUp([lent, lent]);
    const refused = expect(second.charge()).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 1 } });
    await new Promise(setImmediate);
    second.clock.advance(2_100);
    await refused;
    expect(second.steps).toEqual(['reserve', 'reserve']);
    // Every lease has ended, and the units of a process that died have not returned yet.
    const third = setUp([{ ...lent, lentForMs: 0 }]);
    await expect(third.charge()).rejects.toMatchObject({ code: 'unavailable' });
    expect(third.steps).toEqual(['reserve']);
  });
});

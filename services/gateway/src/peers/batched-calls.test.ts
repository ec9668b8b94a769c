import { createDeadline, type Deadline } from '@shopscope/async';
import { createMeteringClient } from '@shopscope/charging';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { CallOptions, GrpcClient } from '@shopscope/grpc';
import type { MeteringServiceService, ProfilesServiceService } from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { expect, it } from 'vitest';
import { createProfilesClient } from './profiles-client.ts';

const origin: Origin = { requestId: '', traceparent: '', environment: 'live' };

/** Clients that record the deadline of each call. The calls end when the test ends them. */
function setUp() {
  const clock = new ManualClock();
  const deadlines: Deadline[] = [];
  let response = Promise.withResolvers<object>();
  const origins: (readonly Origin[])[] = [];
  const call = (_: object, options: CallOptions) => {
    deadlines.push(options.deadline as Deadline);
    origins.push(options.origins ?? []);
    return response.promise;
  };
  const metering = createMeteringClient({ getBalance: call, reserve: call, recordUsage: call } as unknown as GrpcClient<
    typeof MeteringServiceService
  >);
  const profiles = createProfilesClient({ getStores: call } as unknown as GrpcClient<typeof ProfilesServiceService>);
  const responses = {
    balances: [{ periodEndMs: 1 }],
    stores: [{ length: 0 }],
    bodies: Buffer.alloc(0),
    results: [{}, {}],
    refusedChargeIds: [],
  };
  return {
    metering,
    profiles,
    deadlines,
    origins,
    clock,
    within: (timeoutMs: number) => createDeadline(timeoutMs, { clock }),
    respond: () => response.resolve(responses),
    breakConnection() {
      response.reject(new AppError('unavailable', 'the connection broke'));
      response = Promise.withResolvers();
    },
  };
}

type Clients = ReturnType<typeof setUp>;
const calls = {
  getBalance: ({ metering }: Clients, deadline: Deadline, of: Origin = origin) =>
    metering.getBalance('ws_1', of, deadline),
  lookUp: ({ profiles }: Clients, deadline: Deadline, of: Origin = origin) =>
    profiles.lookUp(of.environment === 'test' ? 'matched.test' : 'shop.example', of, deadline, 'ws_1'),
  reserve: ({ metering }: Clients, deadline: Deadline, of: Origin = origin) =>
    metering.reserve({ workspaceId: 'ws_1', fingerprint: Buffer.alloc(0) } as never, of, deadline),
  'reserve with Idempotency-Key': ({ metering }: Clients, deadline: Deadline, of: Origin = origin) =>
    metering.reserve({ workspaceId: 'ws_1', fingerprint: Buffer.from('body') } as never, of, deadline),
  recordUsage: ({ metering }: Clients, deadline: Deadline, of: Origin = origin) =>
    metering.recordUsage({ workspaceId: 'ws_1' } as never, of, deadline),
};
const turn = () => new Promise(setImmediate);

it.each(Object.entries(calls))(
  'a batched call has the latest deadline of its callers, and a caller with a short one fails alone (%s)',
  async (_, call) => {
    const clients = setUp();
    const short = call(clients, clients.within(150)).catch(({ code }) => code);
    const long = call(clients, clients.within(10_000));
    await turn();
    expect(clients.deadlines.map((deadline) => deadline.timeoutMs())).toEqual([10_000]);
    clients.clock.advance(150);
    expect(await short).toBe('internal');
    clients.respond();
    await expect(long).resolves.not.toThrow();
  },
);

it.each(Object.entries(calls))(
  'a caller that joins a batch with a later deadline waits only until its own deadline (%s)',
  async (_, call) => {
    const clients = setUp();
    const long = call(clients, clients.within(10_000));
    const short = expect(call(clients, clients.within(150))).rejects.toMatchObject({
      code: 'internal',
      publicMessage: 'The service could not answer; retry in a few seconds.',
    });
    await turn();
    clients.clock.advance(150);
    await short;
    clients.respond();
    await long;
  },
);

it.each(Object.entries(calls))(
  'a batched call is still retried when one of its callers has disconnected (%s)',
  async (_, call) => {
    const clients = setUp();
    const cancelled = clients.within(10_000);
    const first = call(clients, cancelled);
    const second = call(clients, clients.within(5_000));
    await turn();
    cancelled.cancel();
    clients.breakConnection();
    await expect.poll(() => clients.deadlines.length).toBe(2);
    clients.respond();
    await Promise.all([first, second]);
  },
);

it.each(Object.entries(calls))('requests of several environments never share a call (%s)', async (_, call) => {
  const clients = setUp();
  const environments = ['live', 'test', 'live', null] as const;
  const within = clients.within(10_000);
  const answers = environments.map((environment) => call(clients, within, { ...origin, environment }));
  await turn();
  const seen = clients.origins.map((origins) => [...new Set(origins.map(({ environment }) => environment))]);
  expect(seen).toEqual([['live'], ['test'], [null]]);
  clients.respond();
  await Promise.allSettled(answers);
});

it('a request whose deadline was cancelled makes no call and gets the error of its deadline', async () => {
  for (const call of Object.values(calls)) {
    const clients = setUp();
    const deadline = createDeadline(100, { clock: clients.clock, error: () => new Error('over') });
    deadline.cancel();
    await expect(call(clients, deadline)).rejects.toThrow('over');
    await turn();
    expect(clients.deadlines).toEqual([]);
  }
});

import type { GrpcClient } from '@shopscope/grpc';
import type { MeteringServiceService, ProfilesServiceService } from '@shopscope/proto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMeteringPeer } from './metering.ts';
import { createProfilesPeer } from './profiles.ts';

const origin = { requestId: '', traceparent: '' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Peers whose calls tell their bound and end when the test says so. */
function setUp() {
  const bounds: number[] = [];
  const answer = Promise.withResolvers<object>();
  const call = (_: object, { timeoutMs }: { timeoutMs: number }) => {
    bounds.push(timeoutMs);
    return answer.promise;
  };
  const metering = createMeteringPeer({ getBalance: call, reserve: call, recordUsage: call } as unknown as GrpcClient<
    typeof MeteringServiceService
  >);
  const profiles = createProfilesPeer({ getStores: call } as unknown as GrpcClient<typeof ProfilesServiceService>);
  const asked = {
    balances: [{ periodEndMs: 1 }],
    stores: [{ length: 0 }],
    bodies: Buffer.alloc(0),
    results: [{}, {}],
  };
  return { metering, profiles, bounds, answer: () => answer.resolve(asked) };
}

const questions = {
  balance: ({ metering }: ReturnType<typeof setUp>, timeoutMs: number) =>
    metering.getBalance('ws_1', origin, timeoutMs),
  store: ({ profiles }: ReturnType<typeof setUp>, timeoutMs: number) =>
    profiles.lookUp('shop.example', origin, timeoutMs),
  reservation: ({ metering }: ReturnType<typeof setUp>, timeoutMs: number) =>
    metering.reserve({ workspaceId: 'ws_1', fingerprint: Buffer.alloc(0), origin } as never, timeoutMs),
  'named reservation': ({ metering }: ReturnType<typeof setUp>, timeoutMs: number) =>
    metering.reserve({ workspaceId: 'ws_1', fingerprint: Buffer.from('body'), origin } as never, timeoutMs),
  event: ({ metering }: ReturnType<typeof setUp>, timeoutMs: number) =>
    metering.recordUsage({} as never, origin, timeoutMs),
};

it.each(Object.entries(questions))(
  'a patient caller that joins a short question has all its time (%s)',
  async (_, ask) => {
    const peers = setUp();
    const short = ask(peers, 150).catch(() => 'gave up');
    const patient = ask(peers, 10_000);
    await new Promise(setImmediate);
    expect(peers.bounds).toHaveLength(1);
    expect(peers.bounds[0]).toBeGreaterThan(9_000);
    await vi.advanceTimersByTimeAsync(150);
    expect(await short).toBe('gave up');
    peers.answer();
    await expect(patient).resolves.not.toThrow();
  },
);

it.each(Object.entries(questions))(
  'a short question that joins a patient one waits no longer than its own bound (%s)',
  async (_, ask) => {
    const peers = setUp();
    const patient = ask(peers, 10_000);
    const short = expect(ask(peers, 150)).rejects.toMatchObject({ code: 'internal' });
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(150);
    await short;
    peers.answer();
    await patient;
  },
);

import { createDeadline, type Deadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import type { CallOptions, GrpcClient } from '@shopscope/grpc';
import type { MeteringServiceService, ProfilesServiceService } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createMeteringPeer } from './metering.ts';
import { createProfilesPeer } from './profiles.ts';

const origin = { requestId: '', traceparent: '' };

/** Peers whose calls tell their time limit and end when the test says so. */
function setUp() {
  const clock = new ManualClock();
  const deadlines: Deadline[] = [];
  let answer = Promise.withResolvers<object>();
  const call = (_: object, { deadline }: CallOptions) => {
    deadlines.push(deadline as Deadline);
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
  return {
    metering,
    profiles,
    deadlines,
    clock,
    within: (timeoutMs: number) => createDeadline(timeoutMs, { clock }),
    answer: () => answer.resolve(asked),
    breakConnection() {
      answer.reject(new AppError('unavailable', 'the connection broke'));
      answer = Promise.withResolvers();
    },
  };
}

type Peers = ReturnType<typeof setUp>;
const questions = {
  balance: ({ metering }: Peers, deadline: Deadline) => metering.getBalance('ws_1', origin, deadline),
  store: ({ profiles }: Peers, deadline: Deadline) => profiles.lookUp('shop.example', origin, deadline),
  reservation: ({ metering }: Peers, deadline: Deadline) =>
    metering.reserve({ workspaceId: 'ws_1', fingerprint: Buffer.alloc(0), origin } as never, deadline),
  'named reservation': ({ metering }: Peers, deadline: Deadline) =>
    metering.reserve({ workspaceId: 'ws_1', fingerprint: Buffer.from('body'), origin } as never, deadline),
  event: ({ metering }: Peers, deadline: Deadline) =>
    metering.recordUsage({ workspaceId: 'ws_1' } as never, origin, deadline),
};
const turn = () => new Promise(setImmediate);

it.each(Object.entries(questions))(
  'a patient caller that joins a short question has all its time (%s)',
  async (_, ask) => {
    const peers = setUp();
    const short = ask(peers, peers.within(150)).catch(({ code }) => code);
    const patient = ask(peers, peers.within(10_000));
    await turn();
    expect(peers.deadlines.map((deadline) => deadline.timeoutMs())).toEqual([10_000]);
    peers.clock.advance(150);
    expect(await short).toBe('internal');
    peers.answer();
    await expect(patient).resolves.not.toThrow();
  },
);

it.each(Object.entries(questions))(
  'a short question that joins a patient one waits no longer than its own bound (%s)',
  async (_, ask) => {
    const peers = setUp();
    const patient = ask(peers, peers.within(10_000));
    const short = expect(ask(peers, peers.within(150))).rejects.toMatchObject({
      code: 'internal',
      publicMessage: 'The service could not answer; retry in a few seconds.',
    });
    await turn();
    peers.clock.advance(150);
    await short;
    peers.answer();
    await patient;
  },
);

it.each(Object.entries(questions))(
  'a caller that leaves stops no repetition of the call that others share (%s)',
  async (_, ask) => {
    const peers = setUp();
    const leaving = peers.within(10_000);
    const left = ask(peers, leaving);
    const staying = ask(peers, peers.within(5_000));
    await turn();
    leaving.cancel();
    peers.breakConnection();
    await expect.poll(() => peers.deadlines.length).toBe(2);
    peers.answer();
    await Promise.all([left, staying]);
  },
);

it('nothing is asked for a request whose time is over, and it gets its deadline’s own error', async () => {
  for (const ask of Object.values(questions)) {
    const peers = setUp();
    const deadline = createDeadline(100, { clock: peers.clock, error: () => new Error('over') });
    deadline.cancel();
    await expect(ask(peers, deadline)).rejects.toThrow('over');
    await turn();
    expect(peers.deadlines).toEqual([]);
  }
});

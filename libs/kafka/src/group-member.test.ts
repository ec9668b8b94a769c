import { ManualClock } from '@shopscope/clock';
import { recordingTelemetry, silentTelemetry } from '@shopscope/testing';
import { describe, expect, it, vi } from 'vitest';
import { startMember } from './group-member.ts';
import type { Kafka } from './kafka.ts';
import { createStallDetector } from './stall-detector.ts';

type MemberOptions = Parameters<typeof startMember>[0];

/** A member of a group whose consumers come from `consumer`. */
function memberOf(
  consumer: () => unknown,
  {
    telemetry = silentTelemetry(),
    clock = new ManualClock(),
    ...rest
  }: Partial<MemberOptions> & {
    telemetry?: ReturnType<typeof silentTelemetry>;
    clock?: ManualClock;
  },
) {
  const topicName = (topic: string) => topic;
  return startMember({
    kafka: { client: { consumer }, options: telemetry, topicName } as unknown as Kafka,
    groupId: 'group',
    fromBeginning: true,
    gatherMs: 0,
    joinWaitMs: 1,
    subscriptions: [],
    chain: async () => {},
    positions: { inMemory: undefined, start: async () => {}, lagByPartition: async () => new Map() },
    stalls: createStallDetector({ clock, stallMs: 1_000, groupId: 'group', concurrency: 4 }),
    clock,
    ...rest,
  });
}

type Step = 'positions' | 'connect' | 'subscribe';

/** A member whose broker answers at `step` only when the test releases it. */
async function memberThatWaitsAt(step: Step, wait: { joinWaitMs: number; abort?: AbortSignal } = { joinWaitMs: 1 }) {
  const reached = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const at = (name: Step) => async () => {
    if (name !== step) return;
    reached.resolve();
    await answer.promise;
  };
  const consumer = {
    events: {},
    on: () => {},
    connect: vi.fn(at('connect')),
    subscribe: vi.fn(at('subscribe')),
    run: vi.fn(async () => {}),
    stop: vi.fn(async () => {}),
    disconnect: vi.fn(async () => {}),
  };
  const positions = { inMemory: undefined, start: at('positions'), lagByPartition: async () => new Map() };
  const member = await memberOf(() => consumer, { ...wait, positions });
  await reached.promise;
  return { member, consumer, answer };
}

/**
 * Returns the log lines of a member whose consumers crash with `errors`, one after the other. `joins`: whether each
 * consumer joins its group before it crashes.
 */
async function linesOfCrashes(errors: Error[], joins: boolean) {
  const { lines, ...telemetry } = recordingTelemetry();
  const clock = new ManualClock();
  const build = () => {
    const listeners = new Map<string, (event: { payload: unknown }) => void>();
    return {
      events: { GROUP_JOIN: 'join', CRASH: 'crash', REBALANCING: 'rebalancing' },
      on: (name: string, listener: (event: { payload: unknown }) => void) => void listeners.set(name, listener),
      connect: async () => {},
      subscribe: async () => {},
      disconnect: async () => {},
      async run() {
        if (joins) listeners.get('join')?.({ payload: { memberAssignment: {} } });
        const error = errors.shift();
        if (error) listeners.get('crash')?.({ payload: { error } });
      },
    };
  };
  const member = await memberOf(build, { telemetry, clock });
  while (errors.length > 0) {
    clock.advance(60_000);
    await new Promise(setImmediate);
  }
  await new Promise(setImmediate);
  await member.stop();
  return lines;
}

describe('group member', () => {
  const unknownTopic = () =>
    Object.assign(new Error('This server does not host this topic-partition'), { retriable: true });

  it('a retriable failure of a group member before its first join is logged without a stack', async () => {
    const lines = await linesOfCrashes([unknownTopic(), unknownTopic()], false);
    expect(lines).toMatchObject(
      [1, 2].map((crashes) => ({
        level: 'warn',
        msg: 'the consumer cannot join its group yet; trying again',
        reason: 'This server does not host this topic-partition',
        crashes,
      })),
    );
    expect(lines.some((line) => 'err' in line)).toBe(false);
  });

  it('a crash of a group member is logged with its cause if it follows a join or is not retriable', async () => {
    const crash = { level: 'warn', msg: 'the consumer crashed; a new one takes its place' };
    const message = 'This server does not host this topic-partition';
    expect(await linesOfCrashes([unknownTopic()], true)).toMatchObject([{ ...crash, err: { message } }]);
    const denied = new Error('Not authorized to access group');
    expect(await linesOfCrashes([denied], false)).toMatchObject([{ ...crash, err: { message: denied.message } }]);
  });

  it.each([
    ['is in its group again when the coordinator accepts its heartbeat', true],
    ['is stalled if the coordinator accepts no heartbeat', false],
  ])('a group member that rebalances without a new join %s', async (_, isAccepted) => {
    const listeners = new Map<string, (event: { payload: unknown }) => void>();
    const step = async () => {};
    const emit = (name: string) => listeners.get(name)?.({ payload: { memberAssignment: { 'usage.v1': [0] } } });
    const consumer = {
      events: { GROUP_JOIN: 'join', CRASH: 'crash', REBALANCING: 'rebalancing', HEARTBEAT: 'heartbeat' },
      on: (name: string, listener: (event: { payload: unknown }) => void) => void listeners.set(name, listener),
      connect: step,
      subscribe: step,
      disconnect: step,
      run: async () => void emit('join'),
    };
    const clock = new ManualClock();
    const stalls = createStallDetector({ clock, stallMs: 1_000, groupId: 'group', concurrency: 4 });
    const member = await memberOf(() => consumer, { clock, stalls });
    emit('rebalancing');
    expect(member.joined).toBe(false);
    if (isAccepted) emit('heartbeat');
    expect(member.joined).toBe(isAccepted);
    for (let i = 0; i < 3; i++) {
      clock.advance(500);
      if (i < 2) expect(stalls.findStall(new Map())).toBeUndefined();
    }
    expect(stalls.findStall(new Map())?.message).toBe(
      isAccepted ? undefined : 'consumer group group: not joined for 1000 ms although the broker answers',
    );
    await member.stop();
  });

  it('an abort ends the wait of a group member for the first join', async () => {
    const { member, answer } = await memberThatWaitsAt('connect', { joinWaitMs: 60_000, abort: AbortSignal.abort() });
    expect(member.joined).toBe(false);
    answer.resolve();
    await member.stop();
  });

  it('a stop ends at its time limit when the broker never confirms that the consumer has left', async () => {
    const clock = new ManualClock();
    const step = async () => {};
    const disconnect = vi.fn(() => new Promise(() => {}));
    const consumer = { events: {}, on: () => {}, connect: step, subscribe: step, run: step, disconnect };
    const member = await memberOf(() => consumer, { clock });
    let stopped = false;
    const stopping = member.stop().then(() => {
      stopped = true;
    });
    clock.advance(9_999);
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    expect(disconnect).toHaveBeenCalled();
    clock.advance(1);
    await stopping;
  });

  it.each<Step>(['positions', 'connect', 'subscribe'])(
    'a group member that is stopped during its start never runs and leaves no connection (%s)',
    async (step) => {
      const { member, consumer, answer } = await memberThatWaitsAt(step);
      const stopping = member.stop();
      consumer.disconnect.mockClear();
      answer.resolve();
      await stopping;
      await new Promise(setImmediate);
      expect(consumer.run).not.toHaveBeenCalled();
      // The member disconnects once more after it has connected.
      expect(consumer.disconnect).toHaveBeenCalledTimes(consumer.connect.mock.calls.length);
    },
  );
});

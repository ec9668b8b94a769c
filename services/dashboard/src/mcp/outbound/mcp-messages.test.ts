import { ManualClock } from '@shopscope/clock';
import { newApiKey } from '@shopscope/ids';
import { describe, expect, it } from 'vitest';
import { createRequestQueue } from '../../app/outbound/request-queue.ts';
import { createMcpLimits, defaultMcpLimits } from '../domain/mcp-limits.ts';
import { createMcpMessages, type McpMessage } from './mcp-messages.ts';

/** Messages of an instance with the default limits. */
function newMessages() {
  const clock = new ManualClock();
  const queue = createRequestQueue({ maxRunning: 6, runningMs: 100, maxWaiting: 1_000, waitMs: 5_000, clock });
  const messages = createMcpMessages(queue, createMcpLimits(defaultMcpLimits, queue.taken));
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      // Lets pending promises settle.
      await new Promise((done) => setImmediate(done));
    }
  };
  return { messages, pass };
}

type State = 'waiting' | 'begun' | 'rate_limited' | 'concurrency_limited' | 'unavailable';

/** A message and its state. */
function follow(message: McpMessage) {
  const followed: { message: McpMessage; state: State } = { message, state: 'waiting' };
  message.begun.then(
    () => {
      followed.state = 'begun';
    },
    (error: { code: State }) => {
      followed.state = error.code;
    },
  );
  return followed;
}

type Instance = ReturnType<typeof newMessages>;

/** Keys of a workspace that were accepted before. */
async function acceptedTokens({ messages, pass }: Instance, workspaceId: string, keys: number) {
  const tokens = Array.from({ length: keys }, () => newApiKey('live'));
  for (const [n, token] of tokens.entries()) {
    const message = messages.begin({ token, address: `192.0.2.${n}` });
    await pass(200);
    message.accept(token, { keyId: `${workspaceId}_key${n}`, workspaceId, concurrency: 50 });
    message.end();
  }
  return tokens;
}

/** Sends messages that never end, each again while it is refused. Resolves to the number of those that are being answered. */
async function hold({ messages, pass }: Instance, tokens: (string | undefined)[], address: string) {
  const sent = tokens.map((token) => ({ token, now: follow(messages.begin({ token, address })) }));
  const states = new Set<State>();
  for (let round = 0; round < 100; round++) {
    await pass(100);
    for (const each of sent) {
      states.add(each.now.state);
      if (!['waiting', 'begun'].includes(each.now.state))
        each.now = follow(messages.begin({ token: each.token, address }));
    }
  }
  return { begun: sent.filter(({ now }) => now.state === 'begun').length, states };
}

const times = (count: number, tokens: string[]) => tokens.flatMap((token) => Array<string>(count).fill(token));

describe('MCP messages', () => {
  it('the MCP messages of a workspace hold at most its places, whatever number of keys it has, and others continue', async () => {
    const instance = newMessages();
    const greedy = await hold(instance, times(20, await acceptedTokens(instance, 'ws_greedy', 10)), '203.0.113.1');
    expect(greedy.begun).toBe(40);
    expect(greedy.states).toContain('concurrency_limited');
    const modest = await hold(instance, times(3, await acceptedTokens(instance, 'ws_modest', 1)), '198.51.100.1');
    expect(modest).toEqual({ begun: 3, states: new Set(['begun']) });
  });

  it('the MCP messages of an address hold at most its places, whatever number of workspaces send them', async () => {
    const instance = newMessages();
    const tokens = [];
    for (let n = 0; n < 5; n++) tokens.push(...times(20, await acceptedTokens(instance, `ws_${n}`, 2)));
    expect((await hold(instance, tokens, '203.0.113.1')).begun).toBe(100);
  });

  it('MCP messages of light use have places left when heavy workspaces of many addresses hold all they can', async () => {
    const instance = newMessages();
    let begun = 0;
    const states = new Set<State>();
    for (let n = 0; n < 6; n++) {
      const heavy = await hold(instance, times(20, await acceptedTokens(instance, `ws_${n}`, 2)), `203.0.113.${n}`);
      begun += heavy.begun;
      for (const state of heavy.states) states.add(state);
    }
    expect(begun).toBeLessThan(200);
    expect(states).toContain('unavailable');
    const light = await hold(instance, times(3, await acceptedTokens(instance, 'ws_light', 1)), '198.51.100.1');
    expect(light).toEqual({ begun: 3, states: new Set(['begun']) });
  });

  it('MCP messages with a key that is not accepted hold only a share of their address', async () => {
    const instance = newMessages();
    const unknown = await hold(instance, Array<undefined>(60).fill(undefined), '203.0.113.1');
    expect(unknown.begun).toBe(20);
    const known = await hold(instance, await acceptedTokens(instance, 'ws_known', 1), '203.0.113.1');
    expect(known.begun).toBe(1);
  });

  it('MCP messages leave the share of their address when their key is accepted, and then count for its workspace', async () => {
    const { messages, pass } = newMessages();
    const first = Array.from({ length: 20 }, () => ({ token: newApiKey('live'), address: '203.0.113.1' }));
    for (const [n, sent] of first.entries()) {
      const message = messages.begin(sent);
      await pass(200);
      message.accept(sent.token, { keyId: `key_${n}`, workspaceId: `ws_${n}`, concurrency: 5 });
    }
    const next = follow(messages.begin({ token: undefined, address: '203.0.113.1' }));
    await pass(200);
    expect(next.state).toBe('begun');
  });

  it('the MCP messages of a key are at most as many as its plan allows requests', async () => {
    const { messages, pass } = newMessages();
    const token = newApiKey('live');
    const address = '203.0.113.1';
    const first = messages.begin({ token, address });
    await pass(200);
    first.accept(token, { keyId: 'key_a', workspaceId: 'ws_a', concurrency: 1 });
    const second = follow(messages.begin({ token, address }));
    await pass(6_000);
    expect(second.state).toBe('concurrency_limited');
    first.end();
    first.end();
    const third = follow(messages.begin({ token, address }));
    await pass(200);
    expect(third.state).toBe('begun');
  });

  it('MCP messages stop waiting for scans when waits end, also those that begin later', () => {
    const { messages } = newMessages();
    const begin = () => messages.begin({ token: undefined, address: '203.0.113.1' });
    const { waits } = begin();
    messages.endWaits();
    expect([waits.aborted, begin().waits.aborted]).toEqual([true, true]);
  });

  it('the limits of MCP messages remember accepted keys without the keys', async () => {
    const { messages, pass } = newMessages();
    const token = newApiKey('live');
    expect(messages.keyOf(token)).toBeUndefined();
    const message = messages.begin({ token, address: '203.0.113.1' });
    await pass(200);
    const key = { keyId: 'key_a', workspaceId: 'ws_a', concurrency: 5 };
    message.accept(token, key);
    expect(messages.keyOf(token)).toEqual(key);
    messages.forget(token);
    expect(messages.keyOf(token)).toBeUndefined();
  });
});

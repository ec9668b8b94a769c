import { newApiKey } from '@shopscope/ids';
import { describe, expect, it } from 'vitest';
import { createMcpMessages } from './mcp-messages.ts';

const tooMany = { code: 'concurrency_limited', status: 503, details: { retry_after: 1 } };

describe('MCP messages', () => {
  it('are bounded for all keys and for each key', () => {
    const messages = createMcpMessages();
    const begun = Array.from({ length: 200 }, () => messages.begin());
    expect(() => messages.begin()).toThrow(expect.objectContaining(tooMany));
    for (const [n, message] of begun.slice(0, 40).entries()) message.ofKey(n < 20 ? 'key_a' : 'key_b', 50);
    expect(() => begun[40]?.ofKey('key_a', 50)).toThrow(expect.objectContaining(tooMany));
    begun[0]?.end();
    begun[0]?.end();
    messages.begin().ofKey('key_a', 50);
    expect(() => begun[41]?.ofKey('key_a', 50)).toThrow(expect.objectContaining(tooMany));
  });

  it('of a key are at most as many as its plan allows requests', () => {
    const messages = createMcpMessages();
    messages.begin().ofKey('key_a', 1);
    expect(() => messages.begin().ofKey('key_a', 1)).toThrow(expect.objectContaining(tooMany));
  });

  it('stop waiting when waits end, also those that begin later', () => {
    const messages = createMcpMessages();
    const { waits } = messages.begin();
    messages.endWaits();
    expect([waits.aborted, messages.begin().waits.aborted]).toEqual([true, true]);
  });

  it('remember accepted keys without the keys', () => {
    const messages = createMcpMessages();
    const key = newApiKey('live');
    expect(messages.isAccepted(key)).toBe(false);
    messages.setAccepted(key, true);
    expect(messages.isAccepted(key)).toBe(true);
    messages.setAccepted(key, false);
    expect(messages.isAccepted(key)).toBe(false);
  });
});

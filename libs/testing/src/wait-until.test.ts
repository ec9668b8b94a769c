import { afterEach, describe, expect, it, vi } from 'vitest';
import { waitUntil } from './wait-until.ts';

describe('waitUntil', () => {
  afterEach(() => vi.useRealTimers());

  it('waitUntil resolves with the first truthy value, of a plain or asynchronous condition', async () => {
    const values = [undefined, 0, '', false, 'there'];
    expect(await waitUntil('a value', () => values.shift(), { intervalMs: 1 })).toBe('there');
    expect(await waitUntil('a value', async () => 'at once')).toBe('at once');
  });

  it('waitUntil calls a condition that throws again', async () => {
    let calls = 0;
    const condition = () => {
      calls += 1;
      if (calls < 3) throw new Error('not yet');
      return calls;
    };
    expect(await waitUntil('the third call', condition, { intervalMs: 1 })).toBe(3);
  });

  it('waitUntil names in its error what it waited for, with the last value or the last error as the cause', {
    tags: ['wall-clock'],
  }, async () => {
    const bounds = { timeoutMs: 30, intervalMs: 1 };
    await expect(waitUntil('the moon', () => 0, bounds)).rejects.toThrow(
      'waited 30 ms for the moon; the last value was 0',
    );
    const cause = new Error('clouds');
    await expect(waitUntil('the moon', () => Promise.reject(cause), bounds)).rejects.toMatchObject({
      message: 'waited 30 ms for the moon; the last error was clouds',
      cause,
    });
  });

  it('waitUntil ends in time although the condition does not', { tags: ['wall-clock'] }, async () => {
    const never = () => new Promise<boolean>(() => {});
    await expect(waitUntil('an answer', never, { timeoutMs: 30 })).rejects.toThrow(
      'waited 30 ms for an answer; the condition has not returned',
    );
  });

  it('waitUntil does not call the condition after its end', { tags: ['wall-clock'] }, async () => {
    const condition = vi.fn(() => false);
    await waitUntil('nothing', condition, { timeoutMs: 20, intervalMs: 1 }).catch(() => {});
    const { length } = condition.mock.calls;
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(condition.mock.calls).toHaveLength(length);
  });

  it('waitUntil works under fake timers', async () => {
    vi.useFakeTimers();
    let calls = 0;
    expect(await waitUntil('two calls', () => ++calls === 2)).toBe(true);
  });
});

import { expect, it } from 'vitest';
import { untilAborted } from './until-aborted.ts';

const pending = new Promise<never>(() => {});

it('work that ends before its abort gives its outcome', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(signal, Promise.resolve(1))).toBe(1);
  await expect(untilAborted(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

it('an abort ends the wait for work with its reason, even when it came before', async () => {
  const controller = new AbortController();
  const waiting = untilAborted(controller.signal, pending);
  controller.abort(new Error('stopping'));
  await expect(waiting).rejects.toThrow('stopping');
  await expect(untilAborted(controller.signal, pending)).rejects.toThrow('stopping');
});

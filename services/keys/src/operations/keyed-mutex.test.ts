import { expect, it } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';

it('work with one key runs one after another, and work with another key at the same time', async () => {
  const exclusive = createKeyedMutex();
  const gate = Promise.withResolvers<void>();
  const started: string[] = [];
  const work = (title: string) => async () => {
    started.push(title);
    await gate.promise;
    return title;
  };
  const results = Promise.all([exclusive('a', work('a1')), exclusive('a', work('a2')), exclusive('b', work('b1'))]);
  await new Promise(setImmediate);
  expect(started).toEqual(['a1', 'b1']);
  gate.resolve();
  expect(await results).toEqual(['a1', 'a2', 'b1']);
});

it('work that fails rejects for its own caller only, and the next work runs', async () => {
  const exclusive = createKeyedMutex();
  const failed = exclusive('a', () => Promise.reject(new Error('first')));
  const next = exclusive('a', async () => 'second');
  await expect(failed).rejects.toThrow('first');
  expect(await next).toBe('second');
  expect(await exclusive('a', async () => 'third')).toBe('third');
});

import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('work of one name runs one after another, and work of another name at the same time', async () => {
  const turns = createTurns();
  const gate = Promise.withResolvers<void>();
  const started: string[] = [];
  const work = (title: string) => async () => {
    started.push(title);
    await gate.promise;
    return title;
  };
  const results = Promise.all([turns('a', work('a1')), turns('a', work('a2')), turns('b', work('b1'))]);
  await new Promise(setImmediate);
  expect(started).toEqual(['a1', 'b1']);
  gate.resolve();
  expect(await results).toEqual(['a1', 'a2', 'b1']);
});

it('work that fails rejects for its own caller only, and the next work runs', async () => {
  const turns = createTurns();
  const failed = turns('a', () => Promise.reject(new Error('first')));
  const next = turns('a', async () => 'second');
  await expect(failed).rejects.toThrow('first');
  expect(await next).toBe('second');
  expect(await turns('a', async () => 'third')).toBe('third');
});

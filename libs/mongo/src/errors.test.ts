import { MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { unlessDuplicate } from './errors.ts';

it('a write that a unique index refuses resolves to undefined, and every other failure is thrown', async () => {
  expect(await unlessDuplicate(Promise.resolve('written'))).toBe('written');
  expect(await unlessDuplicate(Promise.reject(new MongoServerError({ code: 11_000 })))).toBeUndefined();
  await expect(unlessDuplicate(Promise.reject(new MongoServerError({ code: 50 })))).rejects.toThrow(MongoServerError);
});

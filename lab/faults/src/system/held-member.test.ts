import type { Member } from '@shopscope/local';
import { expect, it } from 'vitest';
import { holdable } from './held-member.ts';

it('the restart of a held process begins only after its release, and later restarts begin at once', async () => {
  let starts = 0;
  const start = async () => {
    starts += 1;
  };
  const member = holdable({ name: 'mongodb-1', pid: 7, start, exited: async () => '', stop: async () => {} } as Member);
  await member.start();
  member.hold();
  const restarted = member.start();
  await new Promise((done) => setImmediate(done));
  expect(starts).toBe(1);
  member.release();
  await restarted;
  await member.start();
  expect(starts).toBe(3);
});

import { runsOf } from '@shopscope/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foreignCalls, readOriginals } from './support/foreign-contents.ts';

it('no contents make an examination throw or need a second of CPU', async () => {
  const calls = foreignCalls(await readOriginals());
  fc.assert(
    fc.property(calls, (call) => {
      const before = process.cpuUsage();
      call();
      const { user, system } = process.cpuUsage(before);
      expect(user + system).toBeLessThan(1_000_000);
    }),
    runsOf({ byDay: 200, atNight: 500 }),
  );
});

import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestTransact } from './test-share.ts';
import type { Transact, Tx } from './transaction.ts';

describe('transactions of the test environment', () => {
  let begun: string[];
  let ends: (() => void)[];
  let transact: Transact;
  beforeEach(() => {
    begun = [];
    ends = [];
    const whole: Transact = (work) => work({} as Tx);
    transact = createTestTransact({ client: { options: { maxPoolSize: 20 } } }, whole);
  });

  const settled = () => new Promise(setImmediate);
  const run = (name: string, options?: Parameters<Transact>[1]) =>
    transact(async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.push(end));
    }, options);

  it('transactions of the test environment use an eighth of the connections, in the order of their calls', async () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => run(name));
    await settled();
    expect(begun).toEqual(['a', 'b']);
    for (let n = 0; n < all.length; n++) {
      ends[n]?.();
      await settled();
    }
    await Promise.all(all);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('a transaction of the test environment whose deadline passes during its wait never begins', async () => {
    const clock = new ManualClock();
    const first = ['a', 'b'].map((name) => run(name));
    const late = run('late', { deadline: createDeadline(100, { clock }) });
    const refused = expect(late).rejects.toThrow('took too long');
    await settled();
    clock.advance(100);
    await refused;
    for (const end of ends) end();
    await Promise.all(first);
    expect(begun).toEqual(['a', 'b']);
  });
});

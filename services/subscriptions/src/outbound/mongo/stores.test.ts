import { expect, it } from 'vitest';
import { collections, environmentCollections } from './stores.ts';

it('each environment has collections of its own, and only live stores are fanned out', () => {
  const names = Object.keys(environmentCollections);
  const others = ['fan_outs', 'outbox', 'outbox_lease'];
  expect(Object.keys(collections).sort()).toEqual([...names, ...names.map((name) => `test_${name}`), ...others].sort());
});

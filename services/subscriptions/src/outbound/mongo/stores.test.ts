import { expect, it } from 'vitest';
import { collections, environmentCollections } from './stores.ts';

it('each environment has collections of its own', () => {
  const names = Object.keys(environmentCollections);
  const outbox = ['outbox', 'outbox_lease'];
  expect(Object.keys(collections).sort()).toEqual([...names, ...names.map((name) => `test_${name}`), ...outbox].sort());
});

import { describe, expect, it } from 'vitest';
import { collectionIndexes, collections } from './stores.ts';

describe('collections', () => {
  it.each(Object.entries(collections))(
    'each unique index of %s begins with its shard key',
    (_, { indexes, shardKey }) => {
      const fields = Object.keys(shardKey);
      expect(fields.length).toBeGreaterThan(0);
      for (const { key, options } of indexes)
        if (options?.unique) expect(Object.keys(key).slice(0, fields.length)).toEqual(fields);
    },
  );

  it('each environment has collections of its own', () => {
    const names = Object.keys(collections);
    expect(Object.keys(collectionIndexes).sort()).toEqual([...names, ...names.map((name) => `test_${name}`)].sort());
  });
});

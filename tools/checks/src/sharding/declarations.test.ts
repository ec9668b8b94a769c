import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { shardKeys } from '@shopscope/backup/shard-keys';
import { expect, it } from 'vitest';
import { type Database, databases, definitionsOf } from './databases.ts';
import { declarationFaults, shardKeysOf, shardKeyTable } from './declarations.ts';

const declared = await Promise.all(
  databases.map(async (database) => [database, await definitionsOf(database)] as const),
);
const page = 'docs/scale.md';

it.each(declared)('the declared collections of %s suit a sharded cluster', (_, definitions) => {
  const faults = Object.entries(definitions).map(([name, each]) => [name, declarationFaults(each)] as const);
  expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
});

it('a restore uses the declared shard keys', () => {
  const keys = declared.map(([database, definitions]): [Database, object] => [database, shardKeysOf(definitions)]);
  expect(shardKeys).toEqual(Object.fromEntries(keys));
});

it(`${page} has the table of the declared shard keys`, () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../..', page), 'utf8');
  expect(text).toContain(shardKeyTable(declared));
});

import type { CollectionDefinition, CollectionDefinitions, ShardKey } from '@shopscope/mongo';

/** A field whose values grow with time sends all inserts to the shard of the last range. */
const growing = /(?:At|^sequence|^_?at)$/;

/** Returns what is wrong with the declaration of a collection, whatever its commands are. */
export function declarationFaults(definition: CollectionDefinition): string[] {
  if (!('shardKey' in definition)) return definition.unsharded ? [] : ['unsharded needs a reason'];
  const { indexes, shardKey, uniqueId, scatters = {} } = definition;
  const key = Object.keys(shardKey);
  const faults: string[] = [];
  const first = key[0];
  if (!first) return ['the shard key needs a field'];
  if (growing.test(first) && shardKey[first] === 1)
    faults.push(`the range key must not begin with ${first}, which grows with time`);
  if (Object.values(shardKey).filter((kind) => kind === 'hashed').length > 1)
    faults.push('only one field can be hashed');
  if (!key.includes('_id') && !uniqueId) faults.push('uniqueId has to say what makes _id unique over all shards');
  for (const [name, why] of Object.entries(scatters)) if (!why) faults.push(`scatters '${name}' needs a reason`);
  for (const index of indexes) {
    if (!index.options?.unique) continue;
    const fields = Object.keys(index.key);
    if (Object.values(shardKey).includes('hashed')) faults.push(`a hashed key allows no unique index (${fields})`);
    else if (!`${fields},`.startsWith(`${key},`))
      faults.push(`the unique index (${fields}) must begin with the shard key (${key})`);
  }
  return faults;
}

/** The shard keys by collection. Collections without one are left out. */
export const shardKeysOf = (definitions: CollectionDefinitions): Record<string, ShardKey> =>
  Object.fromEntries(
    Object.entries(definitions).flatMap(([name, each]) => ('shardKey' in each ? [[name, each.shardKey] as const] : [])),
  );

/** The table of docs/scale.md: the collections of each database by their keys. Test data have the same keys as live data. */
export function shardKeyTable(databases: readonly (readonly [name: string, definitions: CollectionDefinitions])[]): string {
  const rows = databases.map(([database, definitions]) => {
    const live = Object.entries(shardKeysOf(definitions)).filter(([name]) => !name.startsWith('test_'));
    const byKey = Map.groupBy(live, ([, key]) => keyText(key));
    const cells = [...byKey].map(([key, named]) => `${key}: ${named.map(([name]) => name).join(', ')}`);
    return `| ${database} | ${cells.join('; ') || 'none'} |`;
  });
  return ['| database | shard keys |', '|---|---|', ...rows].join('\n');
}

const keyText = (key: ShardKey) =>
  Object.entries(key)
    .map(([field, kind]) => (kind === 1 ? `\`${field}\`` : `\`${field}\` (hashed)`))
    .join(' + ');

import { type CollectionDefinition, type CollectionDefinitions, type ShardKey, steadyFields } from '@shopscope/mongo';

/** Returns what is wrong with the declaration of a collection, whatever its commands are. */
export function declarationFaults(definition: CollectionDefinition): string[] {
  if (!('shardKey' in definition)) return definition.unsharded ? [] : ['unsharded needs a reason'];
  const { indexes, shardKey, idBegins, uniqueId, scatters = {} } = definition;
  const key = Object.keys(shardKey);
  const faults: string[] = [];
  const first = key[0];
  if (!first) return ['the shard key needs a field'];
  // Values that grow with time would send all inserts to the shard of the last range.
  const leading = first === '_id' ? idBegins : first;
  if (shardKey[first] === 1 && !steadyFields.some((field) => field === leading))
    faults.push(`the range key must begin with ${steadyFields.join(' or ')}: ${first} may grow with time`);
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

/** The shard keys by collection. Collections without one are left out, and those of test data, which have the keys of live data. */
export const shardKeysOf = (definitions: CollectionDefinitions): Record<string, ShardKey> =>
  Object.fromEntries(
    Object.entries(definitions).flatMap(([name, each]) =>
      'shardKey' in each && !name.startsWith('test_') ? [[name, each.shardKey] as const] : [],
    ),
  );

/** The table of docs/scale.md: the collections of each database by their keys. */
export function shardKeyTable(
  databases: readonly (readonly [name: string, definitions: CollectionDefinitions])[],
): string {
  const rows = databases.map(([database, definitions]) => {
    const byKey = Map.groupBy(Object.entries(shardKeysOf(definitions)), ([, key]) => keyText(key));
    const cells = [...byKey].map(([key, named]) => `${key}: ${named.map(([name]) => name).join(', ')}`);
    return `| ${database} | ${cells.join('; ') || 'none'} |`;
  });
  return ['| database | shard keys |', '|---|---|', ...rows].join('\n');
}

const keyText = (key: ShardKey) =>
  Object.entries(key)
    .map(([field, kind]) => (kind === 1 ? `\`${field}\`` : `\`${field}\` (hashed)`))
    .join(' + ');

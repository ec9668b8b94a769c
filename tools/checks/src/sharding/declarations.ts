import type { CollectionDefinition } from '@shopscope/mongo';

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

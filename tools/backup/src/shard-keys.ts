/** A shard key: its fields in their order. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>;

/** The shard keys that the services declare, by database and collection. tools/checks compares them with the declarations. */
export const shardKeys: Readonly<Record<string, Readonly<Record<string, ShardKey>>>> = {
};

/**
 * Returns the commands that shard the collections of a restored database. They run before the first document is inserted, while shardCollection
 * still creates the index of the key. Collections without a key stay on one shard.
 */
export const shardCommands = (
  database: string,
  collections: readonly string[],
  keys: Readonly<Record<string, ShardKey>> = shardKeys[database] ?? {},
): { shardCollection: string; key: ShardKey }[] =>
  collections.flatMap((name) => {
    const key = keys[name];
    return key ? [{ shardCollection: `${database}.${name}`, key }] : [];
  });

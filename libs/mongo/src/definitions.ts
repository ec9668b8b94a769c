import type { IndexDefinition } from './indexes.ts';
import type { ValidatorDefinition } from './validators.ts';

/**
 * The fields of a shard key in their order. No range key begins with a value that grows with time, because one shard would then get all
 * inserts: such a field is hashed, or follows a field like the workspace.
 */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>;

/** The fields whose values do not grow with time. */
export const steadyFields = ['workspaceId', 'domain'] as const;
type SteadyField = (typeof steadyFields)[number];

/**
 * The indexes of a collection and its place in a sharded cluster (decision 85). The shardability check compares the commands of all
 * integration tests with it.
 */
export type CollectionDefinition = {
  indexes: readonly IndexDefinition[];
  validator?: ValidatorDefinition;
} & (
  | {
      shardKey: ShardKey;
      /** The value at the beginning of `_id`. Required if a range of `_id` leads the key. */
      idBegins?: SteadyField;
      /** What makes `_id` unique. Required unless the shard key contains `_id`, because each shard only knows its own ids. */
      uniqueId?: string;
      /**
       * The reasons of the commands that every shard has to execute, by command and sorted fields of the filter:
       * `'find dueAt,state': 'the timer looks for work'`. A name that ends with `,…` allows more fields.
       */
      scatters?: Readonly<Record<string, string>>;
    }
  | {
      /** Why the collection stays on one shard. */
      unsharded: string;
    }
);

export type CollectionDefinitions = Readonly<Record<string, CollectionDefinition>>;

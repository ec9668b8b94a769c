/** MongoDB connections, transactions and indexes, with majority concerns. */
export { ensureCollections, prepareCollections } from './collections.ts';
export { connectMongo, type Mongo, type MongoOptions } from './connect.ts';
export {
  type CollectionDefinition,
  type CollectionDefinitions,
  type ShardKey,
  steadyFields,
} from './definitions.ts';
export { fromMongo, isDuplicateKey, unlessDuplicate } from './errors.ts';
export type { IndexDefinition } from './indexes.ts';
export { migrateCollections } from './migrate-collections.ts';
export { createTestTransact } from './test-share.ts';
export {
  CommitUnknownError,
  createTransact,
  type Transact,
  type TransactionOptions,
  type Tx,
  withTransaction,
} from './transaction.ts';
export type { ValidatorDefinition } from './validators.ts';

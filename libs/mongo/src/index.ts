/** MongoDB connections, transactions and indexes, with majority concerns. */
export {
  type CollectionDefinition,
  type CollectionDefinitions,
  ensureCollections,
  type ShardKey,
} from './collections.ts';
export { connectMongo, type Mongo, type MongoOptions } from './connect.ts';
export { fromMongo, isDuplicateKey, unlessDuplicate } from './errors.ts';
export type { IndexDefinition } from './indexes.ts';
export {
  CommitUnknownError,
  createTransact,
  type Transact,
  type TransactionOptions,
  type Tx,
  withTransaction,
} from './transaction.ts';

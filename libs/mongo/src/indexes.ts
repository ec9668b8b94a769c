import { BSON, type CreateIndexesOptions, type Document } from 'mongodb';

export interface IndexDefinition {
  key: Readonly<Record<string, number>>;
  /** An index whose options change needs a new name, so that the old version runs with its own index until it is gone. */
  options?: IndexOptions;
}

/** The options that are compared with those of the existing index. */
export type IndexOptions = Pick<
  CreateIndexesOptions,
  'name' | 'unique' | 'sparse' | 'partialFilterExpression' | 'expireAfterSeconds'
>;

export interface IndexSpec extends IndexOptions {
  name: string;
  key: Record<string, number>;
}

/** An index with its name, which the server derives from the key if the definition has none. */
export const specOf = ({ key, options = {} }: IndexDefinition): IndexSpec => ({
  ...options,
  key: { ...key },
  name: options.name ?? Object.entries(key).flat().join('_'),
});

export const isSameIndex = (a: Document, b: Document): boolean =>
  isSameExceptExpiry(a, b) && expiryOf(a) === expiryOf(b);

/** Whether the server can change the existing index in place, because only the expiry differs. */
export const differsInExpiryOnly = (existing: Document, needed: Document): boolean =>
  isSameExceptExpiry(existing, needed) && expiryOf(needed) !== undefined;

const expiryOf = ({ expireAfterSeconds }: Document): unknown => expireAfterSeconds;

const isSameExceptExpiry = (a: Document, b: Document): boolean =>
  isEquivalent(a, b) && (a.hidden ?? false) === (b.hidden ?? false);

/** Whether the server refuses to keep both indexes, whatever their names. */
export const isEquivalent = (a: Document, b: Document): boolean => comparable(a) === comparable(b);

/** The order of the fields of a key matters. */
const comparable = ({ key, unique, sparse, partialFilterExpression, collation }: Document): string =>
  BSON.EJSON.stringify([
    Object.entries(key),
    unique ?? false,
    sparse ?? false,
    partialFilterExpression ?? null,
    collation ?? null,
  ]);

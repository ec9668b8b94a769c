import { SchemaOlderError } from '@shopscope/errors';
import type { Db, Document } from 'mongodb';
import type { CollectionDefinitions } from './definitions.ts';
import { differsInExpiryOnly, type IndexSpec, isEquivalent, isSameIndex, specOf } from './indexes.ts';
import { type ValidatorDefinition, validatorVersion } from './validators.ts';

/** What one collection lacks. Indexes that no definition names are left alone: a newer version may have made them. */
export interface CollectionPlan {
  collection: string;
  exists: boolean;
  /** Indexes that do not exist, or that are still being built. */
  missing: IndexSpec[];
  /** Indexes whose expiry differs. */
  expiries: IndexSpec[];
  /** Existing indexes that no command can change, and that prevent a needed one. */
  conflicts: IndexConflict[];
  /** The validator that the collection needs, if it has none or an older one. */
  validator: ValidatorDefinition | undefined;
}

export interface IndexConflict {
  needed: string;
  /** The same name means other keys or options, and another name means the same keys and options. */
  existing: string;
}

/** Whether a service can use the collection, if no index conflicts. A migration changes expiries while services run, so they do not count. */
export const isUsable = ({ exists, missing, validator }: CollectionPlan): boolean =>
  exists && missing.length === 0 && validator === undefined;

/** Compares the database with the definitions, with one command and one more per existing collection. It changes nothing. */
export async function readSchemaPlan(db: Db, definitions: CollectionDefinitions): Promise<CollectionPlan[]> {
  const listed = await db.listCollections({ type: 'collection' }, { nameOnly: false }).toArray();
  const existing = new Map<string, Document>(listed.map(({ name, options = {} }) => [name, options]));
  return Promise.all(
    Object.entries(definitions).map(async ([collection, { indexes, validator }]) => {
      const options = existing.get(collection);
      const found = options && indexes.length > 0 ? await readIndexes(db, collection) : new Map<string, Document>();
      const needed = indexes.map(specOf);
      const differing = needed.filter((spec) => {
        const has = found.get(spec.name);
        return has !== undefined && !isSameIndex(has, spec);
      });
      const absent = needed.filter(({ name }) => !found.has(name));
      // The server refuses an index with the keys and options of another one.
      const twins = absent.flatMap((spec) => {
        const twin = [...found.values()].find((has) => isEquivalent(has, spec));
        return twin ? [{ needed: spec.name, existing: String(twin.name) }] : [];
      });
      const isExpiry = (spec: IndexSpec) => differsInExpiryOnly(found.get(spec.name) as Document, spec);
      return {
        collection,
        exists: options !== undefined,
        missing: absent.filter(({ name }) => twins.every((twin) => twin.needed !== name)),
        expiries: differing.filter(isExpiry),
        conflicts: [
          ...differing.filter((spec) => !isExpiry(spec)).map(({ name }) => ({ needed: name, existing: name })),
          ...twins,
        ],
        validator: validator && validatorVersion(options) < validator.version ? validator : undefined,
      };
    }),
  );
}

const namespaceNotFound = 26;

/** The finished indexes by name. A collection has at most 64, so one batch contains them. */
async function readIndexes(db: Db, collection: string): Promise<Map<string, Document>> {
  try {
    // With this option, the server marks the indexes that are still being built.
    const { cursor } = await db.command({
      listIndexes: collection,
      includeBuildUUIDs: true,
      cursor: { batchSize: 100 },
    });
    const finished = (cursor.firstBatch as Document[]).filter(({ buildUUID }) => buildUUID === undefined);
    return new Map(finished.map((spec) => [spec.name, spec]));
  } catch (error) {
    // The collection was dropped after it was listed.
    if ((error as { code?: unknown }).code === namespaceNotFound) return new Map();
    throw error;
  }
}

/** The first thing that is missing or older in a collection that is not usable, for a sentence to operators. */
export const describePlan = (plans: readonly CollectionPlan[]): string =>
  firstOf(
    plans.flatMap(({ collection, exists, missing, validator }) => {
      if (!exists) return [`collection ${collection} is missing`];
      return [
        ...missing.map(({ name }) => `index ${name} of collection ${collection} is missing or not built yet`),
        ...(validator ? [`collection ${collection} has no validator of version ${validator.version}`] : []),
      ];
    }),
  );

/** Throws {@link SchemaOlderError} if an index must be dropped, which no migration does. */
export function rejectConflicts(database: string, plans: readonly CollectionPlan[]): void {
  const found = plans.flatMap(({ collection, conflicts }) =>
    conflicts.map(({ needed, existing }) => {
      const what = existing === needed ? 'other options' : `the keys of index ${needed}`;
      return `index ${existing} of collection ${collection} has ${what}`;
    }),
  );
  if (found.length === 0) return;
  throw new SchemaOlderError(
    `In database ${database}, ${firstOf(found)}`,
    'drop it when no service needs it, and run the migration again',
  );
}

const firstOf = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} (and ${others.length} more)`;

import { SchemaOlderError } from '@shopscope/errors';
import type { Db } from 'mongodb';
import { applySchema } from './apply-schema.ts';
import type { CollectionDefinitions } from './definitions.ts';
import { describePlan, isUsable, readSchemaPlan, rejectConflicts } from './schema-plan.ts';

/** Creates missing collections, indexes and validators. It is idempotent, and several instances may call it at the same time. */
export async function ensureCollections(db: Db, definitions: CollectionDefinitions): Promise<void> {
  await applySchema(db, definitions);
}

/**
 * Makes the database of a service usable at its start. In production, it only compares, because a service neither has the right to change
 * the schema nor the time to wait for an index (decision 86). Rejects with {@link SchemaOlderError} if something is missing or older.
 * It ignores the expiries of indexes: a migration changes them while older pods restart, and a rollback does not change them back.
 */
export async function prepareCollections(
  db: Db,
  definitions: CollectionDefinitions,
  { SHOPSCOPE_ENV }: { SHOPSCOPE_ENV: string },
): Promise<void> {
  if (SHOPSCOPE_ENV !== 'production') return ensureCollections(db, definitions);
  const plans = await readSchemaPlan(db, definitions);
  rejectConflicts(db.databaseName, plans);
  const older = plans.filter((plan) => !isUsable(plan));
  if (older.length > 0) throw new SchemaOlderError(`In database ${db.databaseName}, ${describePlan(older)}`);
}

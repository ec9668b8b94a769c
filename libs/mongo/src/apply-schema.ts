import type { Db } from 'mongodb';
import type { CollectionDefinitions } from './definitions.ts';
import { type CollectionPlan, readSchemaPlan, rejectConflicts } from './schema-plan.ts';
import { validationOf } from './validators.ts';

export interface ApplyOptions {
  /** Called after each collection. */
  onCollection?(collection: string, done: number, total: number): void;
}

/**
 * Creates what the definitions name and the database lacks, one collection after the other. All missing indexes of a collection are one
 * command, so the server reads the documents once.
 *
 * - The same call elsewhere -> both succeed: the server joins the builds of the same index.
 * - The call is interrupted -> a repeated call continues with what is missing.
 * - An index of the same name has other options, or one of another name has the same -> it stays, and the call rejects after it has made
 *   everything else.
 */
export async function applySchema(
  db: Db,
  definitions: CollectionDefinitions,
  options: ApplyOptions = {},
): Promise<void> {
  const plans = await readSchemaPlan(db, definitions);
  for (const [n, plan] of plans.entries()) {
    await applyPlan(db, plan);
    options.onCollection?.(plan.collection, n + 1, plans.length);
  }
  rejectConflicts(db.databaseName, plans);
}

async function applyPlan(db: Db, { collection, exists, missing, expiries, validator }: CollectionPlan): Promise<void> {
  const validation = validator && validationOf(validator);
  // The implicit creation of a collection within a transaction fails under contention, so it is created before. createIndexes creates it.
  if (!exists && (validation || missing.length === 0)) {
    await db.createCollection(collection, validation).catch(ignoreExisting);
  } else if (validation) {
    await db.command({ collMod: collection, ...validation });
  }
  for (const { name, expireAfterSeconds } of expiries) {
    await db.command({ collMod: collection, index: { name, expireAfterSeconds } });
  }
  if (missing.length > 0) await db.collection(collection).createIndexes(missing);
}

const namespaceExists = 48;

function ignoreExisting(error: unknown): void {
  if ((error as { code?: unknown }).code !== namespaceExists) throw error;
}

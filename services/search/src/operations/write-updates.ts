import { minuteMs } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { documentOf, type StoreFacts } from '@shopscope/store-search';
import { indexesToWrite } from '../domain/index-state.ts';
import { schema } from '../domain/schema.ts';
import type { RefusedDocument } from '../outbound/opensearch/store-indexes.ts';
import type { Dependencies } from './dependencies.ts';
import { readState } from './shared-state.ts';

/** A store whose body has changed, or whose profile was removed. */
export interface StoreUpdate {
  domain: string;
  /** The sequence of the profile after the merge, or of the removal. */
  profileSequence: number;
  isRemoval: boolean;
  publishedAtMs: number;
}

/** A replica of the database that takes over has a merge within this time. After it, the database was restored to a time before the merge. */
const maxReplicaDelayMs = 10 * minuteMs;
/** A request of this many documents has about half a megabyte. */
const maxDocumentsPerRequest = 500;

type WriteDependencies = Pick<Dependencies, 'states' | 'facts' | 'indexes' | 'vocabulary' | 'metrics' | 'clock'>;

/**
 * Writes the stores of a batch as they are now, and resolves when every index has acknowledged them.
 *
 * 1. The state of the indexes is read after the updates have arrived. A refill that begins later reads stores later, too. So a store that this
 *    batch writes to the old index only is in the refill.
 * 2. The facts are read. Several updates of a store are one write.
 * 3. The documents are written with their sequence as version. A repeated or late update changes nothing.
 *
 * - A profile was removed, and the store was not observed since -> its document is deleted with the sequence of the removal. A refill that
 *   has read the store before cannot bring it back.
 * - profiles or the engine is not available, or a store is older than its update -> rejects with `unavailable`, and the batch is repeated.
 * - The store is older for longer than {@link maxReplicaDelayMs} -> the database was restored, and the update is no longer true. The batch goes
 *   on, and a new index has the restored stores.
 * - An index does not accept a document -> rejects with an error that is not retryable, after all others are written. The consumer finds the
 *   event and keeps it as a dead letter.
 */
export async function writeUpdates(deps: WriteDependencies, updates: readonly StoreUpdate[]): Promise<void> {
  const targets = indexesToWrite(await readState(deps, 'indexes'), schema);
  const latest = new Map<string, StoreUpdate>();
  for (const update of updates)
    if (update.profileSequence >= (latest.get(update.domain)?.profileSequence ?? 0)) latest.set(update.domain, update);
  const facts = await deps.facts.ofAll([...latest.keys()]);
  const nowMs = deps.clock.now();
  for (const store of facts) {
    const update = latest.get(store.domain);
    if (update && nowMs - update.publishedAtMs < maxReplicaDelayMs) requireSequence(store, update.profileSequence);
  }
  const found = new Set(facts.map(({ domain }) => domain));
  const deletions = [...latest.values()]
    .filter(({ domain, isRemoval }) => isRemoval && !found.has(domain))
    .map(({ domain, profileSequence }) => ({ id: domain, version: profileSequence, document: null }));
  const writes = [...facts.map((store) => documentOf(store, deps.vocabulary)), ...deletions];
  const refused: RefusedDocument[] = [];
  for (let at = 0; at < writes.length; at += maxDocumentsPerRequest) {
    const some = writes.slice(at, at + maxDocumentsPerRequest);
    for (const index of targets) {
      const result = await deps.indexes.write(index, some);
      deps.metrics.written('update', result);
      refused.push(...result.refused);
    }
  }
  const [first] = refused;
  if (first) throw refusalOf(first);
}

const refusalOf = ({ id, reason }: RefusedDocument) =>
  new AppError('internal', 'The service could not answer; retry in a few seconds.', {
    internal: `the index does not accept the document of ${id}: ${reason}`,
  });

/** A replica of the database that takes over may lack the merge of the update for a moment. */
function requireSequence({ domain, sequence }: StoreFacts, least: number): void {
  if (sequence >= least) return;
  const internal = `profiles returns sequence ${sequence} of ${domain} after the update of ${least}`;
  throw new AppError('unavailable', 'Searches are not available; retry shortly.', { internal });
}

import { AppError } from '@shopscope/errors';
import { documentOf, type StoreFacts } from '@shopscope/store-search';
import { indexesToWrite } from '../domain/index-state.ts';
import { schema } from '../domain/schema.ts';
import type { Dependencies } from './dependencies.ts';
import { readState } from './shared-state.ts';

/** A store whose body has changed, and the sequence of its profile after the merge. */
export interface StoreUpdate {
  domain: string;
  profileSequence: number;
}

/** A request of this many documents has about half a megabyte. */
const maxDocumentsPerRequest = 500;

type WriteDependencies = Pick<Dependencies, 'states' | 'facts' | 'indexes' | 'vocabulary' | 'metrics'>;

/**
 * Writes the stores of a batch as they are now, and resolves when every index has acknowledged them.
 *
 * 1. The state of the indexes is read after the updates have arrived. A refill that begins later reads stores later, too. So a store that this
 *    batch writes to the old index only is in the refill.
 * 2. The facts are read. Several updates of a store are one write.
 * 3. The documents are written with their sequence as version. A repeated or late update changes nothing.
 *
 * - profiles or the engine is not available, or a store is older than its update -> rejects with `unavailable`, and the batch is repeated.
 */
export async function writeUpdates(deps: WriteDependencies, updates: readonly StoreUpdate[]): Promise<void> {
  const targets = indexesToWrite(await readState(deps, 'indexes'), schema);
  const sequences = new Map<string, number>();
  for (const { domain, profileSequence } of updates)
    sequences.set(domain, Math.max(profileSequence, sequences.get(domain) ?? 0));
  const facts = await deps.facts.ofAll([...sequences.keys()]);
  for (const store of facts) requireSequence(store, sequences.get(store.domain) ?? 0);
  const documents = facts.map((store) => documentOf(store, deps.vocabulary));
  for (let at = 0; at < documents.length; at += maxDocumentsPerRequest) {
    const some = documents.slice(at, at + maxDocumentsPerRequest);
    for (const index of targets) deps.metrics.written('update', await deps.indexes.write(index, some));
  }
}

/** A replica of the database that takes over may lack the merge of the update for a moment. */
function requireSequence({ domain, sequence }: StoreFacts, least: number): void {
  if (sequence >= least) return;
  const internal = `profiles returns sequence ${sequence} of ${domain} after the update of ${least}`;
  throw new AppError('unavailable', 'Searches are not available; retry shortly.', { internal });
}

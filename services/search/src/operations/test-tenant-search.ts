import { setImmediate } from 'node:timers/promises';
import { createDeadline } from '@shopscope/async';
import { documentOf, type SearchRequest, searchInSteps, type VersionedDocument } from '@shopscope/store-search';
import type { Edition, EditionState } from '../domain/edition-state.ts';
import type { StoreFactReader } from '../outbound/store-facts.ts';
import type { SearchDependencies } from './dependencies.ts';

const storesPerPage = 500;

/**
 * Returns the dependencies of one search in the stores of a workspace of the test tenant. They are few, so a request of the engine is answered
 * in memory, and the index of live stores is never asked.
 *
 * - There is one edition. It is of the latest scan, so it changes with each scan, and at midnight, when the dates of the stores move.
 * - Other calls run between the short steps of a search.
 * - Bound: about 1,000 stores in memory, for the time of the request.
 */
export function testTenantSearch(
  deps: Omit<SearchDependencies, 'states' | 'pointsInTime'> & { facts: StoreFactReader },
): SearchDependencies {
  let read: Promise<VersionedDocument[]> | undefined;
  const documents = () => (read ??= readDocuments(deps));
  return {
    ...deps,
    states: {
      async read<Value>() {
        const value: EditionState = { editions: [editionOf(await documents())], opening: null };
        return { value: value as Value, seqNo: 0, primaryTerm: 0 };
      },
      write: async () => true,
    },
    pointsInTime: {
      async search(_, request, { timeoutMs }) {
        const deadline = createDeadline(timeoutMs);
        return searchInSteps(await documents(), request as SearchRequest, () => {
          deadline.timeoutMs();
          return setImmediate();
        });
      },
    },
  };
}

/** Other calls run between two pages. */
async function readDocuments({
  facts,
  vocabulary,
}: Pick<SearchDependencies, 'vocabulary'> & { facts: Pick<StoreFactReader, 'list'> }): Promise<VersionedDocument[]> {
  const documents: VersionedDocument[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await facts.list(documents.at(-1)?.id ?? '', storesPerPage);
    documents.push(...page.stores.map((store) => documentOf(store, vocabulary)));
    hasMore = page.hasMore;
    await setImmediate();
  }
  return documents;
}

function editionOf(documents: readonly VersionedDocument[]): Edition {
  const builtAtMs = Math.max(0, ...documents.map(({ document }) => document.last_scan_at));
  return { id: 'edn_test', index: 'test', pointInTime: 'test', builtAtMs, stores: documents.length };
}

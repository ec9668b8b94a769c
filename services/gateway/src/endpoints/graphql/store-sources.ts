import { canonicalizeDomain } from '@shopscope/domain-name';
import type { FoundStore } from '@shopscope/enrich';
import { isStale } from '@shopscope/enrich';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { StoredJson } from './stored-json.ts';

/** The stores of all look-ups of a document, by their domain. */
export interface Stores {
  /** The result of an input, as enrich has it. */
  resultOf(input: string): StoreResult;
}

export interface StoreResult {
  input: string;
  match: 'matched' | 'stale' | 'no_match' | 'error';
  reason: 'not_in_corpus' | 'invalid_domain' | null;
  store: StoredJson | null;
}

const domainOf = (input: string): string | undefined => {
  const canonical = canonicalizeDomain(input);
  return canonical.ok ? canonical.value.domain : undefined;
};

/** Looks up all stores of a document at once. A body is decoded when it is selected, and only once, however many aliases or domains select it. */
export async function lookUpStores(
  { profiles, clock }: Pick<Dependencies, 'profiles' | 'clock'>,
  { caller, origin, deadline }: CallerRequest,
  inputs: readonly string[],
): Promise<Stores> {
  const domains = new Map(inputs.map((input) => [input, domainOf(input)]));
  const distinct = [...new Set([...domains.values()].filter((domain) => domain !== undefined))];
  const found = distinct.length === 0 ? [] : await profiles.lookUpMany(distinct, origin, deadline, caller.workspaceId);
  const stores = new Map(distinct.map((domain, index) => [domain, found[index]]));
  const nowMs = clock.now();
  const isRepeated = distinct.length < inputs.length;
  const decoded = new Map<FoundStore, StoredJson>();
  const decode = (store: FoundStore): StoredJson => {
    const known = decoded.get(store);
    if (known !== undefined) return known;
    const json = new StoredJson(store.body.toString());
    // All aliases of a result are read before the next result.
    if (!isRepeated) decoded.clear();
    decoded.set(store, json);
    return json;
  };

  return {
    resultOf(input) {
      const domain = domains.get(input);
      if (domain === undefined) return { input, match: 'error', reason: 'invalid_domain', store: null };
      const store = stores.get(domain);
      if (!store) return { input, match: 'no_match', reason: 'not_in_corpus', store: null };
      const match = isStale(store.lastCompletedScanAtMs, caller.plan.freshnessDays, nowMs) ? 'stale' : 'matched';
      return {
        input,
        match,
        reason: null,
        get store() {
          return decode(store);
        },
      };
    },
  };
}

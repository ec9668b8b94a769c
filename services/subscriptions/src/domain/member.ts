import { canonicalizeDomain } from '@shopscope/domain-name';
import { invalidField } from '@shopscope/errors';
import { parseText } from '@shopscope/text';

/** A store of a list. */
export interface Member {
  domain: string;
  /** The caller's own id of the store. */
  externalId: string | null;
  addedAt: Date;
}

/** A store in a request to add stores. `externalId`: undefined keeps the stored one, null removes it. */
export interface NewMember {
  domain: string;
  externalId: string | null | undefined;
}

/** The maximum number of stores of one request. It bounds a transaction. */
export const maxStoresPerCall = 2_000;
const maxExternalIdLength = 200;

/**
 * Parses an external id. The caller searches for it later, so it is stored exactly as sent. A text that the rules for a
 * line of text would change is therefore refused.
 */
export function parseExternalId(field: string, externalId: string): string {
  const rules = { noun: 'external id', maxLength: maxExternalIdLength, mayHaveAddresses: true };
  if (parseText(field, externalId, rules) === externalId) return externalId;
  throw invalidField(field, 'must be in Unicode NFC, without spaces at its ends and without two spaces in a row');
}

/** Returns the canonical domain of an input, or undefined if the input has none. */
export function domainOf(input: string): string | undefined {
  const canonical = canonicalizeDomain(input);
  return canonical.ok ? canonical.value.domain : undefined;
}

/** What a request does with one of its inputs. */
export type Outcome = 'added' | 'present' | 'removed' | 'absent' | 'invalid_domain';

export interface StoreResult {
  domain: string | undefined;
  outcome: Outcome;
}

/**
 * Returns the result of each input, in order. The first input of a domain gets `first`, each further one gets `again`. Inputs of domains
 * outside of `changed` get `again`, too.
 */
export function resultsOf(
  domains: readonly (string | undefined)[],
  changed: ReadonlySet<string>,
  { first, again }: { first: Outcome; again: Outcome },
): StoreResult[] {
  const seen = new Set<string>();
  return domains.map((domain) => {
    if (domain === undefined) return { domain, outcome: 'invalid_domain' };
    const isFirst = changed.has(domain) && !seen.has(domain);
    seen.add(domain);
    return { domain, outcome: isFirst ? first : again };
  });
}

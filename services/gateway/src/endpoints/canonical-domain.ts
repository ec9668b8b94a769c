import { canonicalizeDomain } from '@shopscope/domain-name';
import type { Environment } from '@shopscope/environment';
import { AppError, invalidField } from '@shopscope/errors';
import { isDomainOf } from '@shopscope/test-tenant';
import { quoted } from '@shopscope/text';

/** Returns the registrable domain of the text that the caller sent. Throws invalid_request if it has none. */
export function canonicalDomain(input: string): string {
  const canonical = canonicalizeDomain(input);
  if (canonical.ok) return canonical.value.domain;
  throw invalidField('domain', `must be a hostname or an http(s) URL with a registrable domain, not ${quoted(input)}`);
}

export const notInCorpus = () =>
  new AppError(
    'not_found',
    'The domain is not in the corpus; POST /v1/stores/enrich with refresh true queues a scan of it (scope write:scans).',
  );

/** Throws not_found for a domain that no store of the environment can have. A scan of it is never queued. */
export function requireKnowableDomain(environment: Environment, domain: string): void {
  if (isDomainOf(environment, domain)) return;
  throw new AppError(
    'not_found',
    environment === 'test'
      ? 'Keys of the test environment know only stores below .test.'
      : 'Only keys of the test environment (svc_test_…) know stores below .test.',
  );
}

/** Throws invalid_request for a domain that no store of the environment can have. */
export function requireDomainOf(environment: Environment, domain: string): void {
  if (isDomainOf(environment, domain)) return;
  const needed =
    environment === 'test' ? 'a store of the test tenant, below .test' : 'outside of .test, which only test keys have';
  throw invalidField('domain', `must be ${needed}, not ${quoted(domain)}`);
}

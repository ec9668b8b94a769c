import type { Environment } from '@shopscope/environment';

/** The error code of every request with a test key that names a certain domain, also within a batch. */
export type RequestFault = 'rate_limited' | 'payment_required' | 'unavailable' | 'internal';

const requestFaults: ReadonlyMap<string, RequestFault> = new Map([
  ['limited.test', 'rate_limited'],
  ['exhausted.test', 'payment_required'],
  ['busy.test', 'unavailable'],
  ['error.test', 'internal'],
]);

/** Returns the fault of a whole request that names this canonical domain with a test key, or undefined. */
export const requestFaultOf = (domain: string): RequestFault | undefined => requestFaults.get(domain);

/** Whether a store of this environment can have this canonical domain: the stores below `.test` are those of the test tenant. */
export const isDomainOf = (environment: Environment, domain: string): boolean =>
  domain.endsWith('.test') === (environment === 'test');

/** Whether a job or a watchlist of this environment may request scans of this canonical domain. */
export const isScannable = (environment: Environment, domain: string): boolean =>
  isDomainOf(environment, domain) && !requestFaultOf(domain);

/** The number of generated stores: store-0001.test … */
export const generatedStores = 1_000;

const generatedPattern = /^store-(\d{4})\.test$/;

/** Returns the number of a generated store, from 1, or undefined. */
export function generatedNumber(domain: string): number | undefined {
  const number = Number(generatedPattern.exec(domain)?.[1] ?? 0);
  return number >= 1 && number <= generatedStores ? number : undefined;
}

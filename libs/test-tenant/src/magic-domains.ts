import { type RequestFault, requestFaultOf } from './domains.ts';
import { simulatedScanOf } from './simulated-scan.ts';

/** How a look-up answers for a domain of the test tenant before its first scan. */
export type Match = 'matched' | 'stale' | 'no_match';

export interface MagicDomain {
  domain: string;
  /** What the domain is for, as a sentence of the guide, or the code of its fault. */
  purpose: string;
  /** The match of a look-up, or the fault of every request that names the domain. */
  lookUp: Match | RequestFault;
  /** The status of the profile. Undefined without a profile. */
  state?: string;
  /** The match of a look-up after this number of successful scans. */
  after?: { scans: number; match: Match };
}

/** The domains of the test tenant that behave in a special way, in the order of the guide. */
export const magicDomains: readonly MagicDomain[] = [
  { domain: 'matched.test', purpose: 'A fresh profile.', lookUp: 'matched', state: 'active_storefront' },
  {
    domain: 'stale.test',
    purpose: 'Last scanned 400 days ago. A scan makes it fresh.',
    lookUp: 'stale',
    state: 'active_storefront',
    after: { scans: 1, match: 'matched' },
  },
  {
    domain: 'unknown.test',
    purpose: 'Unknown until a scan.',
    lookUp: 'no_match',
    after: { scans: 1, match: 'matched' },
  },
  {
    domain: 'scan-fails.test',
    purpose: 'No longer answers a scan. The profile stays.',
    lookUp: 'stale',
    state: 'active_storefront',
  },
  {
    domain: 'slow.test',
    purpose: 'Its scan lasts 60 s. Other scans end within 5 s.',
    lookUp: 'stale',
    state: 'active_storefront',
    after: { scans: 1, match: 'matched' },
  },
  {
    domain: 'changes.test',
    purpose: 'Scan n adds a technology. Scan n + 5 misses it, and scan n + 6 confirms the removal.',
    lookUp: 'stale',
    state: 'active_storefront',
  },
  {
    domain: 'flaps.test',
    purpose: 'Every second scan misses a technology. No removal is confirmed.',
    lookUp: 'stale',
    state: 'active_storefront',
  },
  {
    domain: 'migrates.test',
    purpose: 'Moves to another platform. Scan 2 confirms it.',
    lookUp: 'stale',
    state: 'active_storefront',
  },
  { domain: 'password.test', purpose: 'Behind a password.', lookUp: 'matched', state: 'password_protected' },
  { domain: 'closed.test', purpose: 'A closed shop.', lookUp: 'matched', state: 'closed' },
  { domain: 'redirects.test', purpose: 'Redirects to another domain.', lookUp: 'matched', state: 'redirected' },
  { domain: 'huge.test', purpose: 'Uses 500 technologies.', lookUp: 'matched', state: 'active_storefront' },
  { domain: 'no-catalogue.test', purpose: 'Shows no products.', lookUp: 'matched', state: 'active_storefront' },
  {
    domain: 'forbidden.test',
    purpose: 'Its `robots.txt` forbids the visit.',
    lookUp: 'no_match',
  },
  {
    domain: 'xn--bcher-kva.test',
    purpose: 'Also as `bücher.test`.',
    lookUp: 'matched',
    state: 'active_storefront',
  },
  { domain: 'limited.test', purpose: '`rate_limited`', lookUp: 'rate_limited' },
  { domain: 'exhausted.test', purpose: '`payment_required`', lookUp: 'payment_required' },
  { domain: 'busy.test', purpose: '`unavailable`', lookUp: 'unavailable' },
  { domain: 'error.test', purpose: '`internal`', lookUp: 'internal' },
];

const statusOf: Record<RequestFault, number> = {
  rate_limited: 429,
  payment_required: 402,
  unavailable: 503,
  internal: 500,
};

/** What each operation answers for a magic domain. */
export interface MagicAnswers {
  domain: string;
  /** The fault of every request that names the domain. The other members apply only if it is absent, except `search`. */
  fault?: { status: number; code: RequestFault };
  /** The `match` of a result of enrich. */
  enrich: Match | undefined;
  /** The status of a look-up of the store. */
  get: number;
  /** The status of a look-up of its history. */
  history: number;
  /** How a requested scan ends. */
  scan: { state: 'succeeded' } | { state: 'failed'; error: string } | undefined;
  /** The `match` of the field `store`. The field `history` is null if there is no match. */
  graphql: Match | undefined;
  /** The status of the row. Undefined if a search does not find the domain. A search names no domain, so it never fails. */
  search: string | undefined;
}

/** Returns what the operations answer before the first scan of the domain. */
export function magicAnswersOf({ domain, lookUp, state: search }: MagicDomain): MagicAnswers {
  const code = requestFaultOf(domain);
  if (code) {
    const status = statusOf[code];
    const none = { enrich: undefined, scan: undefined, graphql: undefined };
    return { domain, fault: { status, code }, get: status, history: status, search, ...none };
  }
  const match = lookUp as Match;
  const status = match === 'no_match' ? 404 : 200;
  const { failure } = simulatedScanOf(domain);
  const scan = failure ? ({ state: 'failed', error: failure } as const) : ({ state: 'succeeded' } as const);
  return { domain, enrich: match, get: status, history: status, scan, graphql: match, search };
}

/** The head of the guide's table. */
export const magicHead = ['domain', 'enrich', 'get', 'history', 'scan', 'GraphQL', 'search', ''];

/** Returns the cells of the guide's row, in the order of {@link magicHead}. */
export function magicRowOf(magic: MagicDomain): string[] {
  const { domain, fault, enrich, get, history, scan, graphql, search } = magicAnswersOf(magic);
  const ended = scan?.state === 'failed' ? `\`${scan.error}\`` : 'succeeds';
  const looked = fault
    ? [fault.status, fault.status, fault.status, fault.status, fault.status].map(String)
    : [`\`${enrich}\``, `${get}`, `${history}`, ended, `\`${graphql}\``];
  return [`\`${domain}\``, ...looked, searchCellOf(search), magic.purpose];
}

/** A search without a status finds active storefronts. */
function searchCellOf(status: string | undefined): string {
  if (status === undefined) return 'no';
  return status === 'active_storefront' ? 'yes' : `\`${status}\``;
}

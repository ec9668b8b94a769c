// The meaning of each current value of the enum-like fields, for openapi.json.

export const confidenceMeanings = {
  high: 'at least two independent kinds of evidence agree',
  medium: 'one kind of evidence',
  low: 'weak traces only, or implied by another technology; also the platform custom',
} as const;

export const coverageMeanings = {
  first_page:
    'only the first products of the catalogue were read; counts and prices are of these, unless the store itself gives the total',
  full: 'the whole catalogue was read',
  none: 'no catalogue was seen; counts and prices are 0 and mean nothing',
} as const;

export const geographyBasisMeanings = {
  declared: 'the store states the country itself, for example in the address of its structured data',
  observed: "the country was seen in the store's pages or settings",
  inferred: 'concluded from the domain ending, a phone number, the currency or the language',
  unknown: 'nothing was seen; country is ZZ',
} as const;

export const industryBasisMeanings = {
  classified: "concluded from the words of the store's pages and products",
  declared: 'the store states the industry itself',
  unknown: 'too little was seen; slug is unclassified',
} as const;

export const scopeMeanings = {
  full: 'the home page was seen completely and the listing was tried; coverage_note names what else was looked at; a technology that is not listed may be treated as absent',
  partial:
    'a part could not be seen or is not listed, and coverage_note says which; a technology that is not listed may still be there',
} as const;

export const installStateMeanings = {
  configured: 'loaded or set up, but never seen working',
  active: 'seen working',
  inactive: 'was active before, is still set up, and is no longer seen working',
} as const;

export const storeStateMeanings = {
  active_storefront: 'a shop that trades',
  password_protected: 'the shop is behind a password page',
  redirected: 'the domain leads to another site',
  parked: 'the domain is parked or for sale',
  unreachable: 'the site did not answer, or answered with an error',
  closed: 'the shop says that it is closed, or its page is gone',
  not_a_storefront: 'a site that answers and shows no shop',
} as const;

export const signalTypeMeanings = {
  technology_added: 'the technology was seen for the first time since it was absent',
  technology_removed:
    'the technology was absent from two successive scans of scope full, at least six hours apart; it left the profile and stays in the history',
  install_state_changed:
    'the technology is still there with another install_state; inactive is such a change and not a removal',
  platform_changed:
    'another platform, after two scans that agree and lie at least six hours apart, or at once where none was known; when most technologies change with it, the second scan has to read another page that agrees, or a third scan has to agree',
  status_changed:
    'another status.state, after two scans that agree and lie at least six hours apart; at once on a return to active_storefront or from unreachable',
} as const;

export const retractionMeanings = {
  technology_seen_again: 'the next full scan saw the technology, so it was not removed; its entry is as before',
  platform_seen_again: 'the next full scan saw the platform before the change; its entry is as before',
  status_seen_again: 'the next full scan saw the status before the change',
} as const;

export const matchMeanings = {
  matched: 'the store is known and its profile is fresh',
  stale:
    'the store is known, but its last completed scan is older than plan.limits.freshness_days; store is the whole profile, and it is billed as matched',
  no_match: 'the domain is unknown, which does not mean that the site is not a store; free',
  error: 'the input is not a domain; free',
} as const;

export const reasonMeanings = {
  not_in_corpus: 'with no_match: the domain is unknown, which does not mean that the site is not a store',
  invalid_domain: 'with error: the input is not a domain',
} as const;

export const jobMatchMeanings = {
  ...matchMeanings,
  error: 'reason says why; free',
} as const;

export const jobReasonMeanings = {
  not_in_corpus: reasonMeanings.not_in_corpus,
  allowance_exhausted: 'with error: the allowance ended before the store was looked up',
  max_units_reached: 'with error: max_units of the request was reached before the store was looked up',
  key_revoked:
    'with error: the key that started the job was revoked, expired or lost a scope before the store was looked up',
  workspace_suspended: 'with error: the workspace was suspended before the store was looked up',
  internal: 'with error: a fault of the service',
  rate_limited: 'with error: a store of the test tenant that stands for this error',
  unavailable: 'with error: a store of the test tenant that stands for this error',
} as const;

export const jobTypeMeanings = {
  scan: 'one scan of a domain',
  enrich: 'the profiles of the stores of a list',
  replay: 'events are delivered to a webhook again',
  export: 'the stores of a search, as parts of a file',
} as const;

export const jobStateMeanings = {
  queued: 'the job waits for its turn, or for another attempt',
  running:
    'the site is being visited, or the observation is being recorded; of an enrichment: stores are being looked up; of a replay: events are being queued for delivery; of an export: rows are being written',
  succeeded:
    'GET /v1/stores/{domain} shows the observation; of an enrichment: every store has its result; of a replay: every event is queued; of an export: every part is there',
  failed: 'error says why',
  canceled:
    'by POST /v1/jobs/{job_id}/cancel, by the deletion of its list or watchlist, or by the removal of its store from the watchlist',
} as const;

export const meaningsText = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings)
    .map(([value, meaning]) => `\`${value}\`: ${meaning}.`)
    .join(' ');

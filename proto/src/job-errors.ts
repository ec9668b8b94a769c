/**
 * The error codes of failed jobs: what happened, and whether asking for the scan again can help. scan-scheduler writes them into jobs,
 * and openapi.json explains them. The list is closed: another code never reaches a caller.
 */
export interface JobErrorMeaning {
  /** The public message of the error. */
  message: string;
  /** soon: a fault of ours or of the connection. later: the store may recover. no: the result stays the same until the store changes. */
  retry: 'soon' | 'later' | 'no';
  /** What answered in place of the store. Only codes have it whose scan saw nothing of the store, because the answer was not its own page. */
  what?: string;
}

/** Such a scan was carried out, so it is billed. `when`: when another one may help. */
const notTheStore = (what: string, when: string, retry: 'later' | 'no') =>
  ({ what, message: `${what} The scan was carried out and stays billed. ${when}`, retry }) as const;

const inHours = 'Another scan may help after some hours.';
const inDays = 'Another scan may help after some days.';
const whenChanged = 'Another scan helps only when the store has changed this.';

export const jobErrors = {
  lease_lost: { message: 'The scan failed on every attempt. The last attempt was interrupted.', retry: 'soon' },
  observation_lost: {
    message: 'The scan failed on every attempt. The last observation did not reach the corpus.',
    retry: 'soon',
  },
  abandoned: { message: 'The scan failed on every attempt.', retry: 'soon' },
  scanner_stopping: { message: 'The scan failed on every attempt. The last attempt was interrupted.', retry: 'soon' },
  publish_failed: {
    message: 'The scan failed on every attempt. The last observation could not be recorded.',
    retry: 'soon',
  },
  scanner_fault: {
    message: 'The scan failed on every attempt. The last attempt ended with an internal error.',
    retry: 'soon',
  },
  dns_unavailable: {
    message: 'No name server answered for the domain or a redirect target, so the store was not visited in time.',
    retry: 'later',
  },
  egress_broken: {
    message: 'Our access to the web was interrupted, so the store was not visited in time.',
    retry: 'soon',
  },
  opted_out: {
    message: 'The owner of the store, or of a site to which it redirects, does not want automatic visits.',
    retry: 'no',
  },
  visit_too_long: {
    message: 'The store, or a site to which it redirects, needs more requests than one visit may send.',
    retry: 'no',
  },
  expired: { message: 'The scan was not carried out in time.', retry: 'soon' },
  rejected: { message: 'The store could not be observed.', retry: 'soon' },
  unreachable: { message: 'The store could not be reached.', retry: 'later' },
  dns_failure: { message: 'The domain or a redirect target does not resolve.', retry: 'no' },
  connection_refused: { message: 'The store did not accept a connection.', retry: 'later' },
  connection_reset: { message: 'The connection to the store was closed unexpectedly.', retry: 'later' },
  tls_failure: { message: 'No secure connection to the store was possible.', retry: 'later' },
  timeout: { message: 'The store did not respond in time.', retry: 'later' },
  server_error: { message: 'The store responded with a server error (HTTP 5xx).', retry: 'later' },
  too_many_redirects: { message: 'The store redirects in a loop or too many times.', retry: 'no' },
  blocked_address: {
    message:
      'The domain or a redirect target has a non-public address or name, or a port or scheme that is not visited.',
    retry: 'no',
  },
  invalid_response: { message: 'The store sent an invalid response or an invalid redirect.', retry: 'later' },
  robots_disallowed: { message: "The store's robots.txt does not allow the visit.", retry: 'no' },
  robots_unavailable: {
    message: "The store's robots.txt could not be read, so the store was not visited.",
    retry: 'later',
  },
  forbidden: { message: 'The store denied access (HTTP 401, 403 or 451).', retry: 'no' },
  rate_limited: { message: 'The store responded with HTTP 429 (too many requests).', retry: 'later' },
  not_examinable: {
    message: 'The store sent contents that need too much time or memory to examine.',
    retry: 'no',
  },
  challenged: notTheStore('A bot protection asked the visitor for a proof in place of the store.', inDays, 'later'),
  waiting_room: notTheStore('A waiting room answered in place of the store.', inHours, 'later'),
  consent_wall: notTheStore('A page that asks for consent answered in place of the store.', whenChanged, 'no'),
  age_wall: notTheStore(
    'A page that asks for the age of the visitor answered in place of the store.',
    whenChanged,
    'no',
  ),
  login_wall: notTheStore('A page that asks for an account answered in place of the store.', whenChanged, 'no'),
  interstitial_page: notTheStore(
    'A page of another site, with a way back, answered in place of the store.',
    inDays,
    'later',
  ),
  maintenance_page: notTheStore('The store says that it opens soon, or comes back.', inHours, 'later'),
  empty_page: notTheStore('The store answered with an empty page.', inHours, 'later'),
  error_page: notTheStore(
    'An error text, or the default page of a server, answered in place of the store.',
    inHours,
    'later',
  ),
  redirect_page: notTheStore('The store answered with a page that only leads to another address.', whenChanged, 'no'),
  undecodable: notTheStore(
    'The store answered in an encoding that it does not declare, or with binary contents.',
    inDays,
    'later',
  ),
  not_html: notTheStore('The store answered with something else than a web page.', inDays, 'later'),
} as const satisfies Record<string, JobErrorMeaning>;

export type JobErrorCode = keyof typeof jobErrors;
export type NotTheStoreCode = {
  [C in JobErrorCode]: (typeof jobErrors)[C] extends { what: string } ? C : never;
}[JobErrorCode];

/** Whether a scan that fails with the code met something else than the page of the store. */
export const isNotTheStore = (code: string): code is NotTheStoreCode =>
  isJobErrorCode(code) && 'what' in jobErrors[code];

export const isJobErrorCode = (code: string): code is JobErrorCode => Object.hasOwn(jobErrors, code);

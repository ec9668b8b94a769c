/**
 * The error codes of failed jobs: the cause, and whether requesting the scan again can help. scan-scheduler writes the codes into jobs, and
 * openapi.json explains them. The list is closed: no other code reaches a caller.
 */
export interface JobErrorMeaning {
  /** The public message of the error. */
  message: string;
  /** `soon`: the fault is ours or of the connection. `later`: the store may recover. `no`: the result stays until the store changes. */
  retry: 'soon' | 'later' | 'no';
  /** A sentence about the response that came instead of the store's own page. Present only if the scan saw nothing of the store. */
  what?: string;
}

const soon = (message: string) => ({ message, retry: 'soon' }) as const;
const later = (message: string) => ({ message, retry: 'later' }) as const;
const no = (message: string) => ({ message, retry: 'no' }) as const;

/** The times after which another scan may help, if the response was not the store's own page. */
const inHours = later('Another scan may help after some hours.');
const inDays = later('Another scan may help after some days.');
const whenChanged = no('Another scan helps only when the store has changed this.');

/** Returns the meaning of a code whose scan got another page than the store's. The scan was carried out, so it is billed. */
const notTheStore = (what: string, { message, retry }: Pick<JobErrorMeaning, 'message' | 'retry'>) => ({
  what,
  message: `${what} The scan was carried out and stays billed. ${message}`,
  retry,
});

export const jobErrors = {
  lease_lost: soon('The scan failed on every attempt. The last attempt was interrupted.'),
  observation_lost: soon('The scan failed on every attempt. The last observation did not reach the corpus.'),
  abandoned: soon('The scan failed on every attempt.'),
  scanner_stopping: soon('The scan failed on every attempt. The last attempt was interrupted.'),
  publish_failed: soon('The scan failed on every attempt. The last observation could not be recorded.'),
  scanner_fault: soon('The scan failed on every attempt. The last attempt ended with an internal error.'),
  dns_unavailable: later(
    'No name server answered for the domain or a redirect target, so the store was not visited in time.',
  ),
  egress_broken: soon('Our access to the web was interrupted, so the store was not visited in time.'),
  opted_out: no('The owner of the store, or of a site to which it redirects, does not want automatic visits.'),
  visit_too_long: no('The store, or a site to which it redirects, needs more requests than one visit may send.'),
  expired: soon('The scan was not carried out in time.'),
  rejected: soon('The store could not be observed.'),
  unreachable: later('The store could not be reached.'),
  dns_failure: no('The domain or a redirect target does not resolve.'),
  connection_refused: later('The store did not accept a connection.'),
  connection_reset: later('The connection to the store was closed unexpectedly.'),
  tls_failure: later('No secure connection to the store was possible.'),
  timeout: later('The store did not respond in time.'),
  server_error: later('The store responded with a server error (HTTP 5xx).'),
  too_many_redirects: no('The store redirects in a loop or too many times.'),
  blocked_address: no(
    'The domain or a redirect target has a non-public address or name, or a port or scheme that is not visited.',
  ),
  invalid_response: later('The store sent an invalid response or an invalid redirect.'),
  robots_disallowed: no("The store's robots.txt does not allow the visit."),
  robots_unavailable: later("The store's robots.txt could not be read, so the store was not visited."),
  forbidden: no('The store denied access (HTTP 401, 403 or 451).'),
  rate_limited: later('The store responded with HTTP 429 (too many requests).'),
  not_examinable: no('The store sent contents that need too much time or memory to examine.'),
  challenged: notTheStore('A bot protection asked the visitor for a proof in place of the store.', inDays),
  waiting_room: notTheStore('A waiting room answered in place of the store.', inHours),
  consent_wall: notTheStore('A page that asks for consent answered in place of the store.', whenChanged),
  age_wall: notTheStore('A page that asks for the age of the visitor answered in place of the store.', whenChanged),
  login_wall: notTheStore('A page that asks for an account answered in place of the store.', whenChanged),
  interstitial_page: notTheStore(
    'A page of another site, with a return URL to the store, answered in place of the store.',
    inDays,
  ),
  maintenance_page: notTheStore('The store says that it opens soon, or comes back.', inHours),
  empty_page: notTheStore('The store answered with an empty page.', inHours),
  error_page: notTheStore('An error text, or the default page of a server, answered in place of the store.', inHours),
  redirect_page: notTheStore('The store answered with a page that only leads to another address.', whenChanged),
  undecodable: notTheStore(
    'The store answered in an encoding that it does not declare, or with binary contents.',
    inDays,
  ),
  not_html: notTheStore('The store answered with something else than a web page.', inDays),
} as const satisfies Record<string, JobErrorMeaning>;

export type JobErrorCode = keyof typeof jobErrors;
export type NotTheStoreCode = {
  [C in JobErrorCode]: (typeof jobErrors)[C] extends { what: string } ? C : never;
}[JobErrorCode];

/** Whether a scan that fails with this code got another page than the store's own page. */
export const isNotTheStore = (code: string): code is NotTheStoreCode =>
  isJobErrorCode(code) && 'what' in jobErrors[code];

export const isJobErrorCode = (code: string): code is JobErrorCode => Object.hasOwn(jobErrors, code);

/** The error codes of failed jobs that are no scans. An enrichment fails with `internal` only. */
export const bulkJobErrors = {
  internal: { message: 'The job could not continue.' },
  allowance_exhausted: { message: 'The allowance ended before the job did. What is done stays.' },
  max_units_reached: { message: 'The job reached its bound of units. What is done stays.' },
  key_revoked: { message: 'The key that started the job was revoked, expired or lost a scope. What is done stays.' },
  workspace_suspended: { message: 'The workspace was suspended. What is done stays.' },
  edition_ended: { message: 'The view of the stores that the job read has ended. What is done stays.' },
} as const satisfies Record<string, { message: string }>;
export type BulkJobErrorCode = keyof typeof bulkJobErrors;

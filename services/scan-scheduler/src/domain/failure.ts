import type { JobError } from './job.ts';

/** The public message of each error code. */
const messages = new Map(
  Object.entries({
    lease_lost: 'The scan failed on every attempt. The last attempt was interrupted.',
    observation_lost: 'The scan failed on every attempt. The last observation did not reach the corpus.',
    abandoned: 'The scan failed on every attempt.',
    scanner_stopping: 'The scan failed on every attempt. The last attempt was interrupted.',
    publish_failed: 'The scan failed on every attempt. The last observation could not be recorded.',
    scanner_fault: 'The scan failed on every attempt. The last attempt ended with an internal error.',
    dns_unavailable:
      'No name server answered for the domain or a redirect target, so the store was not visited in time.',
    egress_broken: 'Our access to the web was interrupted, so the store was not visited in time.',
    opted_out: 'The owner of the store, or of a site to which it redirects, does not want automatic visits.',
    visit_too_long: 'The store, or a site to which it redirects, needs more requests than one visit may send.',
    expired: 'The scan was not carried out in time.',
    unreachable: 'The store could not be reached.',
    dns_failure: 'The domain or a redirect target does not resolve.',
    connection_refused: 'The store did not accept a connection.',
    connection_reset: 'The connection to the store was closed unexpectedly.',
    tls_failure: 'No secure connection to the store was possible.',
    timeout: 'The store did not respond in time.',
    server_error: 'The store responded with a server error (HTTP 5xx).',
    too_many_redirects: 'The store redirects in a loop or too many times.',
    blocked_address:
      'The domain or a redirect target has a non-public address or name, or a port or scheme that is not visited.',
    invalid_response: 'The store sent an invalid response or an invalid redirect.',
    robots_disallowed: "The store's robots.txt does not allow the visit.",
    robots_unavailable: "The store's robots.txt could not be read, so the store was not visited.",
    forbidden: 'The store denied access (HTTP 401, 403 or 451).',
    rate_limited: 'The store responded with HTTP 429 (too many requests).',
    not_examinable: 'The store sent contents that need too much time or memory to examine.',
  }),
);

/**
 * The public error of a job. `code` is not a snake_case word of at most 64 characters -> `fallback`, because responses
 * contain the code.
 */
export function jobError(code: string, fallback: 'abandoned' | 'rejected' = 'rejected'): JobError {
  const safeCode = /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : fallback;
  return { code: safeCode, message: messages.get(safeCode) ?? 'The store could not be observed.' };
}

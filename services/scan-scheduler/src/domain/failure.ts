import type { JobError } from './job.ts';

/** The public message of each error code. */
const messages = new Map(
  Object.entries({
    lease_lost: 'The scan was interrupted on every attempt.',
    observation_lost: 'The observation did not reach the corpus on any attempt.',
    abandoned: 'The scan could not be carried out on any attempt.',
    scanner_stopping: 'The scan was interrupted on every attempt.',
    publish_failed: 'The observation could not be recorded on any attempt.',
    scanner_fault: 'The scan met a fault of the service on every attempt.',
    unreachable: 'The store could not be reached.',
    dns_failure: 'The domain name does not resolve.',
    connection_refused: 'The store did not accept a connection.',
    connection_reset: 'The store broke the connection off.',
    tls_failure: 'No secure connection to the store was possible.',
    timeout: 'The store did not answer in time.',
    server_error: 'The store answered with server errors throughout.',
    too_many_redirects: 'The store redirects without end.',
    blocked_address: 'The domain does not lead to a public address.',
    invalid_response: 'The store did not answer in valid HTTP.',
    robots_disallowed: 'The store asks not to be visited (robots.txt).',
    robots_unavailable: 'The store could not say whether it may be visited (robots.txt).',
    forbidden: 'The store refuses visits.',
    rate_limited: 'The store asks for fewer visits.',
  }),
);

/** The public error of a job. Responses contain the code, so text that is not a short snake_case word -> `fallback`. */
export function jobError(code: string, fallback: 'abandoned' | 'rejected' = 'rejected'): JobError {
  const safeCode = /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : fallback;
  return { code: safeCode, message: messages.get(safeCode) ?? 'The store could not be observed.' };
}

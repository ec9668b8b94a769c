import { isRouteErrorResponse, type MetaDescriptor } from 'react-router';
import { failureTitle } from '../domain/failure-title.ts';
import type { Problem } from '../inbound/problem.ts';

/** A failure that a page shows in place of its content. A response of another program has only the status. */
export interface PageFailure extends Partial<Problem> {
  status: number;
  /** Whether the failed work only read data. */
  isReading?: boolean;
  /** The form of the same request, which had failed before. */
  sent?: SentAgain | null;
  /** Whether a limit refused the request, so that no work was begun. */
  isRefused?: boolean;
  /** The right address of a request that came under another host name. */
  rightAddress?: string | undefined;
}

/** The failure for an error of a route. An error that is not a response is a failure of this service. */
export function failureOf(error: unknown): PageFailure {
  if (!isRouteErrorResponse(error)) return { status: 500 };
  const { status, data } = error;
  return { status, ...(typeof data === 'object' ? (data as Partial<PageFailure>) : {}) };
}

/** The title of a page that shows the error of a route. Search engines must not list the page. */
export const failureMeta = (error: unknown): MetaDescriptor[] => [
  { title: `${failureTitle(failureOf(error).status)} · Shopscope` },
  { name: 'robots', content: 'noindex' },
];

/** The failure of a form, with the message of the API. */
type FormProblem = Pick<Problem, 'message' | 'field'> & Partial<Problem>;

/** A form that was sent and failed: the problem, and what the person typed, except secrets. */
export interface FailedForm {
  problem: FormProblem;
  values: Record<string, string>;
}

/** A form that failed. `entries` are undefined if it cannot be sent again. */
export interface SentAgain {
  problem: FormProblem;
  entries: [string, string][] | undefined;
}

/**
 * What a failed form has sent, if the API may have carried it out: after a fault, a 409 of a call that is still running, or a 429. The last
 * attempt of a call may get the 429 although an earlier one was carried out. The same form then does nothing twice.
 */
export function unsettled(failed: FailedForm | undefined): FailedForm['values'] | undefined {
  const status = failed?.problem.status ?? 0;
  return status >= 500 || status === 409 || status === 429 ? failed?.values : undefined;
}

/** The page where a person confirms the session. It leads back to `path`. */
export const confirmationPath = (path: string): string => `/confirm?next=${encodeURIComponent(path)}`;

import { isRouteErrorResponse, type MetaDescriptor } from 'react-router';
import { failureTitle } from '../domain/failure-title.ts';
import type { Problem } from '../inbound/problem.ts';

/** A failure that a page shows in place of its content. A response of another program has only the status. */
export interface PageFailure extends Partial<Problem> {
  status: number;
  /** The failed work only read. */
  isReading?: boolean;
  /** A limit refused the request, so no work was begun. */
  isRefused?: boolean;
  /** The request came under another name. Here is the address that it should have gone to. */
  rightAddress?: string | undefined;
}

/** The failure that the error of a route stands for. An error that is no response is one of this service. */
export function failureOf(error: unknown): PageFailure {
  if (!isRouteErrorResponse(error)) return { status: 500 };
  const { status, data } = error;
  return { status, ...(typeof data === 'object' ? (data as Partial<PageFailure>) : {}) };
}

/** Title of a page that shows the error of a route. No search engine lists it. */
export const failureMeta = (error: unknown): MetaDescriptor[] => [
  { title: `${failureTitle(failureOf(error).status)} · Shopscope` },
  { name: 'robots', content: 'noindex' },
];

/** The failure of a form, in the words of the API. */
type FormProblem = Pick<Problem, 'message' | 'field'> & Partial<Problem>;

/** A form that was sent and failed: what is wrong, and what the person typed, except secrets. */
export interface FailedForm {
  problem: FormProblem;
  values: Record<string, string>;
}

/** Where a person confirms the session, and from there comes back to `path`. */
export const confirmationPath = (path: string): string => `/confirm?next=${encodeURIComponent(path)}`;

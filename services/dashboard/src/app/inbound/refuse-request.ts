import type { Origin } from '@shopscope/telemetry';
import type { Request, Response } from 'express';
import type { LimitError } from '../domain/limit-error.ts';
import { waitingTime } from '../domain/throttle-limits.ts';
import { pageOf } from './page-path.ts';
import type { Problem } from './problem.ts';
import { closeWithUnreadBody } from './unread-body.ts';

export type FailedPage = Problem & { isReading?: boolean; isRefused?: boolean; rightAddress?: string | undefined };

/** Renders a page without loaders, for a failure that is known before a page is begun. `cookies` contain the theme. */
export type FailurePage = (problem: FailedPage, request: { path: string; cookies: string }) => string;

/** The failure of a request that a limit refused. It is set for the router, which answers its own requests for data. */
export const refusalOf = (response: Response): Problem | undefined =>
  (response.locals as { refusal?: Problem }).refusal;

/** Answers a refused request, or passes it on. */
export type Refuse = (error: LimitError, request: Request, response: Response, next: () => void) => void;

/**
 * Answers a request that a limit refuses: 429 if the caller is at the limit, 503 if there are too many requests in all. Both have
 * Retry-After.
 *
 * - The answer is a page, even if the request is a form. Scripts that ask for JSON get JSON.
 * - Requests of the client's router are passed on, because only the router can encode their answer. It reads {@link refusalOf}.
 */
export function createRefuse({
  failurePage,
  onRefused,
}: {
  failurePage: FailurePage;
  onRefused(status: number): void;
}): Refuse {
  return (error, request, response, next) => {
    const problem = problemOf(error, response);
    const { status, code, message, retryAfterSeconds } = problem;
    onRefused(status);
    response.locals.refusal = problem;
    response.set({ 'Retry-After': String(retryAfterSeconds), 'Cache-Control': 'no-store' });
    if (request.path.endsWith('.data')) return next();
    closeWithUnreadBody(request, response);
    response.status(status).vary('Accept');
    if (request.accepts('html', 'json') === 'json') {
      response.json({ error: { code, message, request_id: problem.requestId } });
      return;
    }
    response.type('html').send(failurePage({ ...problem, isRefused: true }, pageOf(request)));
  };
}

function problemOf({ code, fault, status, publicMessage, details }: LimitError, response: Response): Problem {
  const { requestId } = (response.locals as { origin: Origin }).origin;
  const seconds = Number(details.retry_after ?? 1);
  return {
    status,
    code,
    fault,
    message: `${publicMessage} Nothing was changed. Open the page again in ${waitingTime(seconds)}.`,
    field: undefined,
    needsConfirmation: false,
    isUnanswered: false,
    retryAfterSeconds: seconds,
    requestId,
  };
}

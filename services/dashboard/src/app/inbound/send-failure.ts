import type { AppError } from '@shopscope/errors';
import type { Logger, Origin } from '@shopscope/telemetry';
import type { Request, Response } from 'express';
import { pageOf } from './page-path.ts';
import { toProblem } from './problem.ts';
import type { FailurePage } from './refuse-request.ts';
import { recordFault } from './response-fault.ts';
import { closeWithUnreadBody } from './unread-body.ts';

/** Answers a request that reaches no page with an error page, and logs it once. */
export type SendFailure = (
  error: AppError,
  request: Request,
  response: Response,
  /** The address to which the request should have been sent. */
  rightAddress?: string,
) => void;

export function createSendFailure(options: { failurePage: FailurePage; logger: Logger }): SendFailure {
  return (error, request, response, rightAddress) => {
    const { origin } = response.locals as { origin: Origin };
    const problem = toProblem(error, { origin, logger: options.logger });
    recordFault(response, error.fault);
    closeWithUnreadBody(request, response);
    response.status(error.status).set('Cache-Control', 'no-store').type('html');
    response.send(options.failurePage({ ...problem, rightAddress }, pageOf(request)));
  };
}

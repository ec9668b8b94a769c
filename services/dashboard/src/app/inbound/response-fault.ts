import type { Fault } from '@shopscope/errors';
import type { Response } from 'express';

/** What a response failed by, as the label of metrics; `none` for a success. Alerts count `service` alone. */
export type ResponseFault = Fault | 'none';

/** Notes a failure while the response is made. A fault of the service stays, whatever comes after it. */
export function recordFault(response: Pick<Response, 'locals'>, fault: Fault): void {
  if (response.locals.fault !== 'service') response.locals.fault = fault;
}

/** A part of a page may fail while the page succeeds, so the status comes first. */
export function faultOf({ statusCode, locals }: Pick<Response, 'statusCode' | 'locals'>): ResponseFault {
  if (statusCode < 400) return 'none';
  if (statusCode < 500) return statusCode === 429 ? 'limit' : 'caller';
  return locals.fault === 'limit' ? 'limit' : 'service';
}

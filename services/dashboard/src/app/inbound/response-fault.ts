import type { Fault } from '@shopscope/errors';
import type { Response } from 'express';

/** The party that caused the failure of a response, as the label of metrics; `none` for a success. Alerts count `service` only. */
export type ResponseFault = Fault | 'none';

/** Records a failure while the response is made. A fault of the service is not overwritten by later faults. */
export function recordFault(response: Pick<Response, 'locals'>, fault: Fault): void {
  if (response.locals.fault !== 'service') response.locals.fault = fault;
}

/** A part of a page may fail although the page succeeds, so the status is checked first. */
export function faultOf({ statusCode, locals }: Pick<Response, 'statusCode' | 'locals'>): ResponseFault {
  if (statusCode < 400) return 'none';
  if (statusCode < 500) return statusCode === 429 ? 'limit' : 'caller';
  return locals.fault === 'limit' ? 'limit' : 'service';
}

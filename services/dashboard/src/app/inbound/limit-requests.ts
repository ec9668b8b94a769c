import { addressGroup } from '@shopscope/client-address';
import type { Clock } from '@shopscope/clock';
import type { Request, RequestHandler, Response } from 'express';
import { LimitError } from '../domain/limit-error.ts';
import type { PageLimits, Visitor } from '../domain/page-limits.ts';
import type { QueuedRequest } from '../domain/share.ts';
import type { RequestQueue } from '../outbound/request-queue.ts';
import { type Refuse, refusalOf } from './refuse-request.ts';

export interface LimitRequestsOptions {
  queue: RequestQueue;
  limits: PageLimits;
  refuse: Refuse;
  clock: Pick<Clock, 'monotonicMs'>;
  onWaited(seconds: number): void;
}

/**
 * Lets requests of one address begin at the address's rate. It applies to every request, because refusals and assets also use time of the
 * one thread.
 */
export const limitRequests = (options: LimitRequestsOptions): RequestHandler =>
  admit(options, ({ path }, response) =>
    options.limits.request(groupOf(response), { isAsset: path.startsWith('/assets/') }),
  );

export interface LimitPagesOptions extends LimitRequestsOptions {
  /** The sender of a request, as far as this instance knows it without reading anything. */
  visitorOf(request: Request): Omit<Visitor, 'address'>;
}

/** Lets a page begin when its person, workspace and address have room, and it is its turn. */
export const limitPages = (options: LimitPagesOptions): RequestHandler => {
  const queuedOf = (request: Request, response: Response) => {
    const visitor = { address: groupOf(response), ...options.visitorOf(request) };
    return options.limits.page(visitor, Number(request.get('content-length') ?? 0));
  };
  return admit(options, queuedOf);
};

/** The group of network addresses for which limits count. */
export const groupOf = (response: Response): string => addressGroup((response.locals as { address: string }).address);

/** The time that a request has waited for its places. */
export const waitedMsOf = (response: Response): number => (response.locals as { waitedMs?: number }).waitedMs ?? 0;

function admit(
  { queue, refuse, clock, onWaited }: LimitRequestsOptions,
  queuedOf: (request: Request, response: Response) => QueuedRequest,
): RequestHandler {
  return async (request, response, next) => {
    if (refusalOf(response)) return next();
    const place = queue.enter(queuedOf(request, response));
    response.once('close', place.leave);
    const startMs = clock.monotonicMs();
    try {
      await place.begun;
    } catch (error) {
      // Any other error means that the caller has disconnected.
      if (error instanceof LimitError) refuse(error, request, response, next);
      return;
    }
    const waitedMs = clock.monotonicMs() - startMs;
    response.locals.waitedMs = waitedMsOf(response) + waitedMs;
    onWaited(waitedMs / 1_000);
    next();
  };
}

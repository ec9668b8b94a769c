import { daySeconds } from '@shopscope/clock';
import type { CompletedRequest } from '@shopscope/proto';
import type { UnitCounts } from '../../usage/domain.ts';

/** A request in the log: the gateway's report, with the outcome in place of the error code. */
export interface RequestDocument
  extends Omit<CompletedRequest, 'id' | 'requestId' | 'startedAtMs' | 'errorCode' | 'durationUs' | 'units'> {
  /** The id that the gateway made. It is also the X-Request-Id, unless the caller chose one. */
  _id: string;
  workspaceId: string;
  /** The X-Request-Id that the caller chose. It need not be unique. */
  requestId?: string;
  at: Date;
  /** See domain/request-outcome.ts. */
  outcome: string;
  durationMs: number;
  /** Absent if nothing was billed. */
  units?: UnitCounts;
}

/** Seven days. Pages name this time. */
export const keptSeconds = 7 * daySeconds;

/** Absent members match every request. */
export interface RequestFilter {
  keyId?: string;
  operation?: string;
  /** The request must have one of these outcomes. */
  outcomes?: readonly string[];
  /** The X-Request-Id that the caller chose. */
  requestId?: string;
  fromMs: number;
  beforeMs?: number;
}

export interface RequestPlace {
  atMs: number;
  id: string;
}

export interface PageOptions {
  workspaceId: string;
  filter: RequestFilter;
  from: { direction: 'older' | 'newer'; place: RequestPlace } | undefined;
  limit: number;
}

import type { CompletedRequest } from '@shopscope/proto';
import type { UnitCounts } from '../../usage/domain.ts';

/** A request of the log: what the gateway reports, with the outcome in place of the error code. */
export interface RequestDocument
  extends Omit<CompletedRequest, 'id' | 'requestId' | 'startedAtMs' | 'errorCode' | 'durationUs' | 'units'> {
  /** Made by the gateway, and the X-Request-Id unless the caller chose one. */
  _id: string;
  workspaceId: string;
  /** The X-Request-Id that the caller chose, perhaps not for the first time. */
  requestId?: string;
  at: Date;
  /** See domain/request-outcome.ts. */
  outcome: string;
  durationMs: number;
  /** Absent when nothing was billed. */
  units?: UnitCounts;
}

/** Seven days, as the pages say. */
export const keptSeconds = 7 * 24 * 60 * 60;

/** Absent members match every request. */
export interface RequestFilter {
  keyId?: string;
  operation?: string;
  /** One of these. */
  outcomes?: readonly string[];
  /** The caller chose this X-Request-Id. */
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

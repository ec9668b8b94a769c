import { invalidField } from '@shopscope/errors';
import {
  ClaimOutcome,
  encodeOrigin,
  type Job as JobMessage,
  JobState,
  type OptOut as OptOutMessage,
  type ScanLease,
  ScanUnit,
} from '@shopscope/proto';
import * as domain from '../../domain/job.ts';
import type { OptOut } from '../../domain/opt-out.ts';
import type { LeasedScan } from '../../operations/lease-scan.ts';

const outcomes: Record<domain.ClaimOutcome, ClaimOutcome> = {
  claimed: ClaimOutcome.CLAIMED,
  joined: ClaimOutcome.JOINED,
  pending: ClaimOutcome.PENDING,
};

const states: Record<domain.JobState, JobState> = {
  requested: JobState.REQUESTED,
  queued: JobState.QUEUED,
  running: JobState.RUNNING,
  succeeded: JobState.SUCCEEDED,
  failed: JobState.FAILED,
  canceled: JobState.CANCELED,
};

const units: Record<domain.ScanUnit, ScanUnit> = {
  lookup_live: ScanUnit.LOOKUP_LIVE,
  refresh_requested: ScanUnit.REFRESH_REQUESTED,
};

export function decodeState(state: JobState): domain.JobState {
  const found = domain.jobStates.find((name) => states[name] === state);
  if (!found) throw invalidField('states', 'must be states of jobs');
  return found;
}

export function decodeUnit(unit: ScanUnit): domain.ScanUnit {
  if (unit === ScanUnit.LOOKUP_LIVE) return 'lookup_live';
  if (unit === ScanUnit.REFRESH_REQUESTED) return 'refresh_requested';
  throw invalidField('unit', 'must be a unit that a scan bills');
}

export const encodeOutcome = (outcome: domain.ClaimOutcome): ClaimOutcome => outcomes[outcome];

export function encodeJob(job: domain.Job): JobMessage {
  return {
    id: job.id,
    workspaceId: job.workspaceId,
    type: job.type,
    state: states[job.state],
    domain: job.domain,
    attempts: job.attempts,
    errorCode: job.error?.code ?? '',
    errorMessage: job.error?.message ?? '',
    createdAtMs: job.createdAt.getTime(),
    startedAtMs: job.startedAt?.getTime(),
    finishedAtMs: job.finishedAt?.getTime(),
    unit: units[job.unit],
    refunded: job.refund !== 'none',
  };
}

export function encodeLease(scan: LeasedScan): ScanLease {
  return {
    scanId: scan.id,
    domain: scan.domain,
    sequence: scan.sequence,
    leaseToken: scan.lease.token,
    expiresAtMs: scan.lease.expiresAt.getTime(),
    attempt: scan.attempts,
    origin: encodeOrigin(scan.origin),
    permit: scan.permit,
  };
}

export const encodeOptOut = ({ createdAt, removedAt, ...rest }: OptOut): OptOutMessage => ({
  ...rest,
  createdAtMs: createdAt.getTime(),
  removedAtMs: removedAt?.getTime(),
});

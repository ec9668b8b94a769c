import type { Environment, Tenant } from '@shopscope/environment';
import { deriveId } from '@shopscope/ids';
import type { WorkspaceEventType } from '@shopscope/proto';

/** The resource that an event is about. `path` is its path at the API. */
export interface Related {
  type: 'store' | 'job' | 'watchlist' | 'webhook';
  id: string;
  path: string;
}

/** The subject of a signal, by which webhooks filter. An empty text is unknown. */
export interface SignalSubject {
  category: string;
  platform: string;
  country: string;
  industry: string;
}

/** An event that is not yet in the sequence of its workspace. */
export interface NewEvent<out E extends Environment> {
  tenant: Tenant<E>;
  /** The id is derived from the fact. A fact that arrives again therefore has the same id. */
  id: string;
  type: WorkspaceEventType;
  /** The watchlists whose stores the event is about. */
  watchlistIds: readonly string[];
  related: Related | null;
  /** JSON text. Callers get exactly these bytes. */
  data: string;
  /** Present for signals whose subject is known. */
  subject?: SignalSubject;
}

/** An event in the sequence of its workspace. Sequences begin with 1 and have no gap. */
export interface SequencedEvent<out E extends Environment> extends NewEvent<E> {
  sequence: number;
  createdAt: Date;
}

/** How long events are kept. */
export const eventRetentionDays = 30;

/**
 * The maximum size of the data of an event. A signal of a store with an external id of 200 characters in each of 500
 * watchlists fits. The limit of a message in Kafka is four times as large.
 */
export const maxEventDataBytes = 256 * 1024;

/** The id of an event, derived from the parts that identify its fact. */
export const eventIdOf = (
  type: WorkspaceEventType,
  { workspaceId, environment }: Tenant<Environment>,
  ...fact: string[]
) => deriveId('evt', type, environment, workspaceId, ...fact);

export interface ScanEnd {
  jobId: string;
  domain: string;
  error: { code: string; message: string } | null;
  endedAtMs: number;
}

/** The event of a scan job that has succeeded or failed. */
export function scanEvent<E extends Environment>(
  tenant: Tenant<E>,
  { jobId, domain, error, endedAtMs }: ScanEnd,
): NewEvent<E> {
  const type = error ? 'scan.failed' : 'scan.completed';
  return {
    tenant,
    // A job ends once, so the type is not part of the fact.
    id: eventIdOf('scan.completed', tenant, jobId),
    type,
    watchlistIds: [],
    related: { type: 'job', id: jobId, path: `/v1/jobs/${jobId}` },
    data: JSON.stringify({ job_id: jobId, domain, finished_at: timeOf(endedAtMs), ...(error && { error }) }),
  };
}

export interface ReachedThreshold {
  unit: string;
  percent: number;
  periodStartMs: number;
  /** The number of resets before. After a reset, the same percentage is another fact. */
  generation: number;
}

/** The event of an allowance of which a percentage is used. Each percentage is reached once in a period and generation. */
export function thresholdEvent<E extends Environment>(tenant: Tenant<E>, reached: ReachedThreshold): NewEvent<E> {
  const { unit, percent, periodStartMs, generation } = reached;
  return {
    tenant,
    id: eventIdOf('usage.threshold_reached', tenant, unit, ...[percent, periodStartMs, generation].map(String)),
    type: 'usage.threshold_reached',
    watchlistIds: [],
    related: null,
    data: JSON.stringify({ unit, percent, period_starts_at: timeOf(periodStartMs) }),
  };
}

export interface ExpiringKey {
  keyId: string;
  daysLeft: number;
  expiresAtMs: number;
}

/** The event of a key that expires in `daysLeft` days. */
export function expiringKeyEvent<E extends Environment>(tenant: Tenant<E>, key: ExpiringKey): NewEvent<E> {
  const { keyId, daysLeft, expiresAtMs } = key;
  return {
    tenant,
    id: eventIdOf('key.expiring', tenant, keyId, String(daysLeft), String(expiresAtMs)),
    type: 'key.expiring',
    watchlistIds: [],
    related: null,
    data: JSON.stringify({ key_id: keyId, days_left: daysLeft, expires_at: timeOf(expiresAtMs) }),
  };
}

export const timeOf = (atMs: number): string => new Date(atMs).toISOString();

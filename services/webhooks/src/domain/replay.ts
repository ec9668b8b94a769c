import { dayMs } from '@shopscope/clock';
import type { Environment, Handles, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import { deriveId, newId } from '@shopscope/ids';
import type { WebhookStateChanged, WorkspaceEventType } from '@shopscope/proto';

/** A job that delivers events of a time to an endpoint again, behind the deliveries of new events. */
export interface Replay {
  id: string;
  workspaceId: string;
  endpointId: string;
  from: Date;
  to: Date;
  scope: 'failed' | 'all';
  /** An empty list selects the types of the endpoint. */
  eventTypes: WorkspaceEventType[];
  state: ReplayState;
  /** The events that the job examines, and those that it has examined. */
  total: number;
  done: number;
  /** The events that are left. Null until they are counted. */
  cursor: ReplayCursor | null;
  error: { code: 'internal'; message: string } | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** The job is deleted at this time. Null while it has not ended. */
  expiresAt: Date | null;
  progressAt: Date;
}

/** The events of the replay have sequences above `after` and up to `last`. `after` grows with each step. */
export interface ReplayCursor {
  after: number;
  last: number;
}

export const replayStates = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type ReplayState = (typeof replayStates)[number];

export interface ReplayRef<E extends Environment> extends Handles<E> {
  workspaceId: string;
  id: string;
}

export const maxReplayDays = 30;
export const replayRetentionDays = 30;
export const maxUnfinishedReplays = 20;
/** A job without progress fails after this time. */
export const maxStandstillDays = 7;

export function parseSpan({ fromMs, toMs }: { fromMs: number; toMs: number }): { from: Date; to: Date } {
  if (!(toMs >= fromMs)) throw invalidField('to', 'must not be before from');
  if (toMs - fromMs > maxReplayDays * dayMs)
    throw invalidField('from', `must be at most ${maxReplayDays} days before to`);
  return { from: new Date(fromMs), to: new Date(toMs) };
}

/** No id of a job of another service has this letter. It shows which service owns a job. */
const ownerLetter = 'o';
export const newReplayId = (nowMs: number): string => `job_${ownerLetter}${newId('job', nowMs).slice('job_'.length)}`;
export const isReplayId = (text: string): boolean => /^job_o[0-9a-z]{1,60}$/.test(text);

/** The event of a replay that has ended. */
export function replayFinished(tenant: Tenant<Environment>, replay: Replay): WebhookStateChanged {
  const { id, state, total, done, finishedAt, progressAt } = replay;
  const endedAt = finishedAt ?? progressAt;
  return {
    workspaceId: tenant.workspaceId,
    eventId: deriveId('evt', 'job.finished', tenant.environment, tenant.workspaceId, id),
    type: 'job.finished',
    related: { type: 'job', id, path: `/v1/jobs/${id}` },
    data: JSON.stringify({
      job_id: id,
      type: 'replay',
      state,
      progress: { total, done, failed: 0 },
      finished_at: endedAt.toISOString(),
    }),
    atMs: endedAt.getTime(),
  };
}

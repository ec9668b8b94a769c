import { invalidField } from '@shopscope/errors';
import { type BulkJob, ReplayScope } from '@shopscope/proto';
import { requireFormToken } from '../../app/domain/text.ts';
import { requireAdmin, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import type { EndpointView } from '../domain/endpoint-view.ts';
import { get } from './endpoints.ts';

export interface ReplayForm {
  webhookId: string;
  /** Times in UTC, for example 2026-11-29T12:00. Both are inclusive. */
  from: string;
  to: string;
  only: string;
  /** An empty list selects the types of the endpoint. */
  eventTypes: readonly string[];
  token: string;
}

/** The endpoint whose events an admin wants to replay. */
export function open(deps: Dependencies, visit: WorkspaceVisit, webhookId: string): Promise<EndpointView> {
  requireAdmin(visit.membership);
  return get(deps, visit, webhookId);
}

/** Starts a job that delivers events again. A form that is sent again starts no second one. Returns the id of the job. */
export async function start(deps: Dependencies, visit: WorkspaceVisit, form: ReplayForm): Promise<string> {
  requireAdmin(visit.membership);
  const { webhookId: endpointId, only, eventTypes, token } = form;
  requireFormToken(token);
  const request = {
    workspaceId: visit.membership.workspaceId,
    endpointId,
    fromMs: parseUtc('from', form.from),
    // The last minute belongs to the span.
    toMs: parseUtc('to', form.to) + 59_999,
    scope: only === 'all' ? ReplayScope.ALL : ReplayScope.FAILED,
    eventTypes: [...eventTypes],
    requestToken: `dashboard-${token}`,
  };
  const { job } = await deps.webhooks.replay(request, visit.origin);
  return (job as BulkJob).id;
}

/** The ids of replays begin with a letter that ids of other jobs do not have. */
export const isReplay = (jobId: string): boolean => jobId.startsWith('job_o');

/** Cancels a replay. The Dashboard key may not do this, because its scopes do not change webhooks. */
export async function cancel(deps: Dependencies, visit: WorkspaceVisit, jobId: string): Promise<void> {
  requireAdmin(visit.membership);
  await deps.webhooks.cancelReplayJob({ workspaceId: visit.membership.workspaceId, jobId }, visit.origin);
}

function parseUtc(field: string, text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(ms)) throw invalidField(field, 'Enter a day and a time, for example 2026-11-29T12:00.');
  return ms;
}

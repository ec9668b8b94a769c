import type { Environment, Tenant } from '@shopscope/environment';
import { AppError, invalidField } from '@shopscope/errors';
import { type CallContext, pageOf } from '@shopscope/grpc';
import { isReplayId, type Replay, type ReplayRef } from '../../domain/replay.ts';
import type { ReplayFilter } from '../../outbound/mongo/replays.ts';
import type { Dependencies } from '../dependencies.ts';

const maxIds = 100;
const noSuchJob = () => new AppError('not_found', 'The workspace has no such job.');

/** Throws `not_found` for an id that no job of this service can have. */
export function replayRefOf<E extends Environment>({ workspaceId, environment }: Tenant<E>, id: string): ReplayRef<E> {
  if (!isReplayId(id)) throw noSuchJob();
  return { environment, workspaceId, id };
}

export async function findReplay<E extends Environment>(
  { replays, clock }: Dependencies<E>,
  tenant: Tenant<E>,
  id: string,
  { deadline }: CallContext,
): Promise<Replay> {
  const found = await replays.find(replayRefOf(tenant, id), new Date(clock.now()), deadline.timeoutMs());
  if (!found) throw noSuchJob();
  return found;
}

/** Returns a page of jobs, the newest first, then by id, descending. Unknown ids are left out. */
export async function listReplays<E extends Environment>(
  { replays, clock }: Dependencies<E>,
  tenant: Tenant<E>,
  { limit, ...filter }: ReplayFilter & { limit: number },
  { deadline }: CallContext,
): Promise<{ rows: Replay[]; hasMore: boolean }> {
  if (filter.ids.length > maxIds) throw invalidField('job_ids', `must be at most ${maxIds}`);
  const ids = filter.ids.filter(isReplayId);
  if (filter.ids.length > 0 && ids.length === 0) return { rows: [], hasMore: false };
  const now = new Date(clock.now());
  return pageOf(limit, (readLimit) => replays.list(tenant, { ...filter, ids }, now, readLimit, deadline.timeoutMs()));
}

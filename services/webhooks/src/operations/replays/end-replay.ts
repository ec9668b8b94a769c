import { createDeadline } from '@shopscope/async';
import { dayMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import type { Tx } from '@shopscope/mongo';
import type { EndpointRef } from '../../domain/endpoint.ts';
import {
  maxStandstillDays,
  maxUnfinishedReplays,
  type Replay,
  type ReplayRef,
  replayFinished,
  replayRetentionDays,
} from '../../domain/replay.ts';
import type { Dependencies } from '../dependencies.ts';

const timeoutMs = 10_000;

interface ReplayEnd extends Pick<Replay, 'state'> {
  error?: Replay['error'];
  total?: number;
  done?: number;
  withdrawsUntil?: Date;
}

/** Ends a job and adds its event to the outbox, in one transaction. Returns null if it has ended, or `token` is not its holder's. */
export async function endReplay<E extends Environment>(
  { replays, quotas, publish, clock }: Pick<Dependencies<E>, 'replays' | 'quotas' | 'publish' | 'clock'>,
  ref: ReplayRef<E>,
  { error = null, ...end }: ReplayEnd,
  tx: Tx,
  token?: string,
): Promise<Replay | null> {
  const nowMs = clock.now();
  const times = { finishedAt: new Date(nowMs), expiresAt: new Date(nowMs + replayRetentionDays * dayMs) };
  const ended = await replays.end(ref, token, { ...end, error, ...times }, tx);
  if (!ended) return null;
  await quotas.release(ref, { unfinishedReplays: 1 }, tx);
  await publish(tx, [replayFinished(ref, ended)]);
  return ended;
}

type EndDependencies<E extends Environment> = Pick<
  Dependencies<E>,
  'replays' | 'quotas' | 'publish' | 'clock' | 'transact'
>;

/** Cancels the jobs of a deleted endpoint, or all of a deleted workspace. An execution cancels a job that this call has missed. */
export async function cancelReplays<E extends Environment>(
  deps: EndDependencies<E>,
  tenant: Tenant<E>,
  endpoint?: EndpointRef<E>,
): Promise<void> {
  const deadline = createDeadline(timeoutMs, { clock: deps.clock });
  for (const ref of await deps.replays.listActive(tenant, endpoint, 2 * maxUnfinishedReplays, deadline.timeoutMs())) {
    await deps.transact((tx) => endReplay(deps, ref, { state: 'canceled' }, tx), { deadline });
  }
}

/** Ends jobs that could not continue for {@link maxStandstillDays}. What they have queued stays queued. */
export async function failStandingReplays<E extends Environment>(deps: EndDependencies<E>): Promise<void> {
  const since = new Date(deps.clock.now() - maxStandstillDays * dayMs);
  const error = { code: 'internal', message: 'The job could not continue.' } as const;
  for (const ref of await deps.replays.listStanding(since, maxUnfinishedReplays, timeoutMs)) {
    await deps.transact((tx) => endReplay(deps, ref, { state: 'failed', error }, tx));
  }
}

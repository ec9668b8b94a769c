import type { Environment } from '@shopscope/environment';
import type { ClaimedFanOut } from '../outbound/mongo/fan-outs.ts';
import { appendSignals, stepTimeoutMs } from './append-signals.ts';
import type { FanOutDependencies } from './event-dependencies.ts';

/** The watchers of a page. It bounds the memory, and the time that other events of this instance wait for a page. */
export const fanOutPageSize = 500;
/** After this time another instance repeats the page. A page takes milliseconds. */
export const leaseMs = 30_000;
const retryMs = 1_000;

/**
 * Appends the events of one page of one queued update. Resolves to false if no fan-out is ready. Fan-outs take turns, page by page.
 *
 * 1. Claim the fan-out that has waited longest.
 * 2. Append the events of its next workspaces. A workspace is never split between pages, because it gets one event of a signal.
 * 3. Move the position to the end of the page, or remove the update.
 *
 * - The process ends after step 1 or 2 -> another instance repeats the page when the lease ends. Existing events are left out.
 * - A step fails -> the page is ready again after {@link retryMs}.
 * - The lease ends during a slow page -> both instances append the same events, and one of them moves the position.
 */
export async function runFanOut<E extends Environment>(
  deps: FanOutDependencies<E>,
  pageSize = fanOutPageSize,
): Promise<boolean> {
  const { fanOuts, clock } = deps;
  const claimed = await fanOuts.claim(new Date(clock.now()), leaseMs, stepTimeoutMs);
  if (!claimed) return false;
  try {
    const { watchers, next } = await readPage(deps, claimed, pageSize);
    await appendSignals(deps, [{ event: claimed.update, origin: claimed.origin }], watchers);
    const now = new Date(clock.now());
    if (next === undefined) await fanOuts.finish(claimed, now, stepTimeoutMs);
    else await fanOuts.release(claimed, next, now, stepTimeoutMs);
  } catch (error) {
    const later = new Date(clock.now() + retryMs);
    await fanOuts.release(claimed, claimed.afterWorkspaceId, later, stepTimeoutMs).catch(() => {});
    throw error;
  }
  return true;
}

/** `next`: the last workspace of the page; undefined if no page follows. */
async function readPage<E extends Environment>(
  { watchers: store }: FanOutDependencies<E>,
  { update: { domain }, afterWorkspaceId }: ClaimedFanOut<E>,
  pageSize: number,
) {
  const watchers = await store.ofDomain(domain, afterWorkspaceId, pageSize, stepTimeoutMs);
  const last = watchers.at(-1)?.workspaceId;
  if (watchers.length < pageSize || last === undefined) return { watchers, next: undefined };
  // The page may have only a part of its last workspace.
  const whole = watchers.filter(({ workspaceId }) => workspaceId !== last);
  if (whole.length > 0) return { watchers: whole, next: whole.at(-1)?.workspaceId };
  return { watchers: await store.ofWorkspace(domain, last, stepTimeoutMs), next: last };
}

import { originFields } from '@shopscope/telemetry';
import { stepAfter } from '../domain/opt-out.ts';
import { profileRemovedOf } from '../outbound/events/profile-removed.ts';
import type { ClaimedOptOut } from '../outbound/mongo/opt-outs.ts';
import type { Dependencies } from './dependencies.ts';

/** The stores of one transaction, and those of one step. */
export const removalSizes = { maxPerTransaction: 50, maxPerStep: 500 };
/** A step of an instance that was killed begins again after this time. */
export const claimMs = 60_000;
const stepTimeoutMs = 10_000;

export type RemovalDependencies = Pick<
  Dependencies,
  | 'clock'
  | 'logger'
  | 'metrics'
  | 'optOuts'
  | 'stores'
  | 'storeBodies'
  | 'signals'
  | 'observations'
  | 'transact'
  | 'appendEvents'
>;

/**
 * Removes the next stores of an opt-out: profile, body, signals and observations. Resolves to false if no step is due.
 *
 * 1. Claim the entry whose step has been due longest.
 * 2. Delete the older observations of its next stores, in parts.
 * 3. In one transaction: put a removal with the next sequence in the place of each profile, delete the rest, and append the events.
 * 4. Move the entry to its next step.
 *
 * - The process is killed before step 4 -> another instance repeats the step when the claim ends. Removed stores stay removed.
 * - A merge of one of the stores runs at the same time -> both write the document of the store, and one of them runs again. The merge then
 *   reads the entry. The document of the subject is therefore written even if there is no profile.
 * - The first observation of a store below the subject is merged by a transaction that began before the entry -> the last walk removes it.
 * - The opt-out is withdrawn meanwhile -> the transaction finds the entry changed, and removes nothing.
 */
export async function removeStores(deps: RemovalDependencies, sizes = removalSizes): Promise<boolean> {
  const nowMs = deps.clock.now();
  const claimed = await deps.optOuts.claim(new Date(nowMs), new Date(nowMs + claimMs), stepTimeoutMs);
  if (!claimed) return false;
  const { subject, step } = claimed;
  const bounds = { limit: sizes.maxPerStep, timeoutMs: stepTimeoutMs };
  const { domains, next } =
    step.walk === 'subject'
      ? { domains: [subject], next: undefined }
      : await deps.stores.listBelow(subject, step.after, bounds);
  for (let first = 0; first < domains.length; first += sizes.maxPerTransaction)
    await removeTogether(deps, claimed, domains.slice(first, first + sizes.maxPerTransaction));
  const now = new Date(deps.clock.now());
  const following = next === undefined ? stepAfter(step, now) : { ...step, after: next, at: now };
  await deps.optOuts.move(claimed, following, stepTimeoutMs);
  return true;
}

async function removeTogether(deps: RemovalDependencies, claimed: ClaimedOptOut, domains: string[]): Promise<void> {
  const { origin, subject } = claimed;
  for (const domain of domains) while (await deps.observations.deleteSome(domain, stepTimeoutMs));
  const removed = await deps.transact(async (tx) => {
    if (!(await deps.optOuts.isCurrent(claimed, tx))) return [];
    const found = await deps.stores.find(domains, tx);
    const removals = domains.map((domain) => {
      const sequenceBefore = found.get(domain)?.sequence ?? null;
      return { domain, sequence: (sequenceBefore ?? 0) + 1, sequenceBefore };
    });
    const removedAt = new Date(deps.clock.now());
    await deps.stores.remove(removals, removedAt, tx);
    await deps.storeBodies.delete(domains, tx);
    await deps.signals.delete(domains, tx);
    await deps.observations.delete(domains, tx);
    await deps.appendEvents(
      tx,
      removals.map((removal) => ({ event: profileRemovedOf(removal, removedAt), meta: origin })),
    );
    return removals.filter(({ domain }) => found.get(domain)?.profile);
  });
  deps.metrics.removedStores.inc(removed.length);
  if (removed.length > 0) {
    const fields = { subject, stores: removed.length, ...originFields(origin) };
    deps.logger.info(fields, 'stores were removed after an opt-out');
  }
}

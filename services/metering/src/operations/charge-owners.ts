import type { Deadline } from '@shopscope/async';
import type { ReserveItem } from '../domain/charge.ts';
import type { UsageEvent } from '../domain/fold.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * A charge belongs to one workspace forever. The reads of a transaction have the workspace in their filter, so they do not find a charge
 * of another workspace, and the insert of its id fails with a duplicate key. Only then these functions read the ids without the workspace.
 */
export async function chargesOfOthers(
  { charges }: Dependencies,
  items: readonly ReserveItem[],
  deadline: Deadline,
): Promise<Set<string>> {
  const ids = items.map(({ chargeId }) => chargeId);
  const owners = await charges.ownersOf(ids, deadline.timeoutMs());
  return new Set(
    items.flatMap(({ chargeId, workspaceId }) =>
      (owners.get(chargeId) ?? workspaceId) === workspaceId ? [] : chargeId,
    ),
  );
}

/** Returns the events of which the charge is not known as a charge of another workspace. See {@link chargesOfOthers}. */
export async function ownEvents(
  deps: Dependencies,
  events: readonly UsageEvent[],
  deadline: Deadline,
): Promise<UsageEvent[]> {
  const ids = new Set(events.map(({ chargeId }) => chargeId));
  const keys = new Set(events.map(({ chargeId, attempt }) => attemptKey(chargeId, attempt)));
  const ofCharges = await deps.charges.ownersOf([...ids], deadline.timeoutMs());
  // A charge of a lease has no record.
  const ofAttempts = await deps.ledger.ownersOf([...keys], deadline.timeoutMs());
  return events.filter((event) =>
    isOwn(deps, event, ofCharges.get(event.chargeId) ?? ofAttempts.get(attemptKey(event.chargeId, event.attempt))),
  );
}

/** Returns false for an event of another workspace. Such an event changes nothing. */
export function isOwn({ logger }: Dependencies, event: UsageEvent, owner: string | undefined): boolean {
  if (owner === undefined || owner === event.workspaceId) return true;
  const { chargeId, workspaceId } = event;
  logger.error({ chargeId, workspaceId, owner }, "an event for another workspace's charge was ignored");
  return false;
}

import type { Deadline } from '@shopscope/async';
import type { Environment, Tenant } from '@shopscope/environment';
import type { ReplayCursor } from '../../domain/replay.ts';
import type { EventReader } from '../../outbound/event-reader.ts';

/** More halvings than any sequence needs. */
const maxHalvings = 60;

/**
 * Finds the sequences of the events of a time. A sequence is ordered by time, so each search halves what is left. Returns an empty span
 * (`after` is `last`) if there is no event.
 */
export async function findSpan(
  events: EventReader,
  tenant: Tenant<Environment>,
  { from, to }: { from: Date; to: Date },
  deadline: Deadline,
): Promise<ReplayCursor> {
  const firstAfter = async (after: number | undefined) =>
    (await events.page(tenant, { after, types: [], limit: 1 }, deadline)).events[0];
  const [oldest, latest] = [await firstAfter(undefined), await events.latest(tenant, deadline)];
  if (!oldest || !latest) return { after: 0, last: 0 };
  /** Returns the number of events, from the first sequence on, that match. */
  const lastWhere = async (isBefore: (createdAtMs: number) => boolean): Promise<number> => {
    let [low, high] = [oldest.sequence - 1, latest.sequence];
    for (let halvings = 0; low < high && halvings < maxHalvings; halvings++) {
      const middle = Math.ceil((low + high) / 2);
      const event = await firstAfter(middle - 1);
      // An event that was deleted meanwhile is older than those that are kept.
      if (event && (event.sequence > middle || isBefore(event.createdAtMs))) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const after = await lastWhere((createdAtMs) => createdAtMs < from.getTime());
  const last = await lastWhere((createdAtMs) => createdAtMs <= to.getTime());
  return { after, last: Math.max(after, last) };
}

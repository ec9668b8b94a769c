import { confirmableFrom } from './agreement.ts';
import type { StoreProfile } from './store-profile.ts';

/** A note names at most this many technologies. */
const maxNamed = 3;

/**
 * Returns the sentence of coverage_note about unconfirmed platform changes and removals: their names, and the time from which a scan
 * can confirm all of them. Returns '' if there are none. The note about a pending status is made when the observation is merged.
 */
export function pendingNote({ candidates, changeOfEverything }: StoreProfile): string {
  const pending = candidates.filter(({ type }) => type === 'platform_changed' || type === 'technology_removed');
  if (pending.length === 0) return '';
  const since = pending.map(({ id, effectiveAt }) =>
    changeOfEverything?.candidates.includes(id) ? changeOfEverything.agreedAt : effectiveAt,
  );
  const latest = new Date(Math.max(...since.map((date) => date.getTime())));
  const platform = pending.find(({ type }) => type === 'platform_changed');
  const removed = pending.filter(({ type }) => type === 'technology_removed').map(({ technology }) => technology);
  const changes = [
    ...(platform ? [`the platform ${platform.to}`] : []),
    ...(removed.length > 0 ? [`the removal of ${listOf(removed)}`] : []),
  ];
  const page =
    changeOfEverything?.agreements === 1
      ? ', if another page of the store agrees; otherwise a further scan is needed'
      : '';
  return `Not confirmed yet: ${changes.join(' and ')}. A full scan from ${confirmableFrom(latest).toISOString()} on can confirm it${page}.`;
}

function listOf(slugs: readonly string[]): string {
  const named = slugs.slice(0, maxNamed).join(', ');
  return slugs.length > maxNamed ? `${named} and ${slugs.length - maxNamed} more` : named;
}

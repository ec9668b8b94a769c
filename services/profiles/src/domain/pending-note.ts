import { confirmableFrom } from './agreement.ts';
import type { StoreProfile } from './store-profile.ts';

/** A note names at most so many technologies. */
const maxNamed = 3;

/**
 * The sentence of coverage_note about changes of the platform and removals that are not confirmed: which they are, and the time from
 * which a scan can confirm all of them. '' without such candidates. The note of a pending status is made with the observation.
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

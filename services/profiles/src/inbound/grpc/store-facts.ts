import { deriveId } from '@shopscope/ids';
import type { StoreFacts as Encoded } from '@shopscope/proto';
import type { StoreFacts } from '../../domain/store-facts.ts';

export function encodeFacts({ domain, sequence, body, firstScanAt, changes }: StoreFacts): Encoded {
  const timesOf = ({ effectiveAt, confirmedAt }: StoreFacts['changes'][number]) => ({
    effectiveAtMs: effectiveAt.getTime(),
    confirmedAtMs: confirmedAt.getTime(),
  });
  return {
    domain,
    storefrontId: deriveId('sf', domain),
    // The past observations of test stores have sequences below zero.
    sequence: Math.max(0, sequence),
    body,
    firstScanAtMs: firstScanAt.getTime(),
    removed: changes
      .filter(({ type }) => type === 'technology_removed')
      .map((change) => ({ technology: change.technology, signalId: change.id, ...timesOf(change) })),
    moved: changes
      .filter(({ type }) => type === 'platform_changed')
      .map((change) => ({ from: change.from ?? '', to: change.to ?? '', signalId: change.id, ...timesOf(change) })),
    lastChangedAtMs: changes.length > 0 ? Math.max(...changes.map((each) => each.confirmedAt.getTime())) : undefined,
  };
}

import { Badge } from '../../app/components/badge.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import type { StoreList } from '../outbound/store-lists.ts';

type Progress = Pick<StoreList, 'state' | 'total' | 'finished' | 'batchSize'>;

/** The number of domains that were looked up. */
export const doneOf = ({ finished, batchSize, total }: Progress): number => Math.min(total, finished * batchSize);

/** The progress of a list, in a word. */
export function ListState({ list }: { list: Progress }) {
  if (list.state === 'done') return <Badge tone="ok">Done</Badge>;
  if (list.state === 'canceled') return <Badge tone="neutral">Canceled</Badge>;
  const done = doneOf(list);
  return done === 0 ? (
    <Badge tone="neutral">Not started</Badge>
  ) : (
    <Badge tone="warning">
      {formatNumber(done)} of {formatNumber(list.total)}
    </Badge>
  );
}

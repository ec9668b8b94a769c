import { Badge } from '../../app/components/badge.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Quiet } from '../../app/components/page.tsx';
import { ownValue } from '../../app/domain/own-value.ts';
import type { Watchlist } from '../operations/watchlists.ts';

const pauses: Readonly<Record<string, string>> = {
  budget_exhausted: 'Budget spent',
  allowance_exhausted: 'Allowance spent',
  key_revoked: 'Key revoked',
};

export const WatchlistState = ({ state }: Pick<Watchlist, 'state'>) =>
  state === 'active' ? <Badge tone="ok">Active</Badge> : <Badge tone="neutral">Paused</Badge>;

export const everyDays = (days: number) => (days === 1 ? 'Every day' : `Every ${formatNumber(days)} days`);

/** The interval, or why the rescans pause. */
export function RescanState({ rescan_interval_days: days, rescans_paused: paused }: Watchlist) {
  if (days === null) return <Quiet>Off</Quiet>;
  if (paused !== null) {
    return <Badge tone={paused === 'key_revoked' ? 'danger' : 'warning'}>{ownValue(pauses, paused) ?? 'Paused'}</Badge>;
  }
  return everyDays(days);
}

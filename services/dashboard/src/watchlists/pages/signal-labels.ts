import type { Watchlist } from '../operations/watchlists.ts';

/** The kinds of changes on pages, in the order of the contract. */
export const signalLabels = {
  technology_added: 'A technology was added',
  technology_removed: 'A technology was removed',
  install_state_changed: 'A technology was switched on or off',
  platform_changed: 'The platform changed',
  status_changed: 'The store opened, closed or moved',
} as const;

export type SignalType = keyof typeof signalLabels;
export const signalTypes = Object.keys(signalLabels) as SignalType[];

/** For example "2 kinds of changes of klaviyo, yotpo". */
export function watchedText({ signal_types: types, technologies }: Watchlist): string {
  const kinds = types.length === signalTypes.length ? 'All kinds of changes' : `${types.length} of 5 kinds of changes`;
  return technologies.length === 0 ? `${kinds}, all technologies` : `${kinds}, only of ${technologies.join(', ')}`;
}

/** The groups of types by which a person filters changes, in the order of the form. */
export const changeGroups = {
  signals: { label: 'Signals of stores', types: ['signal.confirmed', 'signal.retracted'] },
  scans: { label: 'Scans', types: ['scan.completed', 'scan.failed'] },
  failed_scans: { label: 'Failed scans', types: ['scan.failed'] },
  jobs: { label: 'Jobs', types: ['job.finished'] },
  watchlists: {
    label: 'Watchlists',
    types: ['watchlist.paused', 'watchlist.resumed', 'watchlist.rescans_paused', 'watchlist.rescans_resumed'],
  },
  account: { label: 'Allowance and keys', types: ['usage.threshold_reached', 'key.expiring'] },
  webhooks: { label: 'Webhooks', types: ['webhook.failing', 'webhook.disabled'] },
} as const;

export type ChangeGroup = keyof typeof changeGroups;

export interface ChangeFilter {
  /** If it is undefined, the filter has all types. */
  group: ChangeGroup | undefined;
  /** The id of a watchlist. If it is empty, the filter has all changes. */
  watchlistId: string;
}

const isGroup = (text: string): text is ChangeGroup => Object.hasOwn(changeGroups, text);
const watchlistIdPattern = /^wl_[0-9a-z]{1,60}$/;

/** Reads a filter from a URL. Values that a filter cannot have filter nothing. */
export function changeFilterOf(search: URLSearchParams): ChangeFilter {
  const group = search.get('type') ?? '';
  const watchlistId = search.get('watchlist') ?? '';
  return {
    group: isGroup(group) ? group : undefined,
    watchlistId: watchlistIdPattern.test(watchlistId) ? watchlistId : '',
  };
}

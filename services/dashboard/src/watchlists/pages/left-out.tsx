import { formatNumber } from '../../app/components/formats.ts';
import { Notice } from '../../app/components/page.tsx';

/** What the form of a new watchlist had and the watchlist lacks. The page of the watchlist gets it in its query. */
export interface LeftOutCounts {
  /** Stores above the quota of the plan. */
  missing: number;
  /** Lines without a domain or with an id that the API does not take. */
  unread: number;
}

const names = ['missing', 'unread'] as const;

export function leftOutQuery(counts: LeftOutCounts): string {
  const query = names.flatMap((name) => (counts[name] > 0 ? [`${name}=${counts[name]}`] : []));
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

export function leftOutIn(search: URLSearchParams): LeftOutCounts {
  const countIn = (name: keyof LeftOutCounts) => {
    const count = Number(search.get(name) ?? 0);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  };
  return { missing: countIn('missing'), unread: countIn('unread') };
}

export const unreadText = (count: number) =>
  `${formatNumber(count)} ${count === 1 ? 'line was' : 'lines were'} left out`;
/** The two reasons: the pages count both kinds of lines together. */
export const unreadReasons = 'A line needs a domain, and an id may be neither too long nor have invisible characters.';

export function LeftOut({ missing, unread }: LeftOutCounts) {
  return (
    <>
      {missing > 0 && (
        <Notice
          kind="warning"
          title={`${formatNumber(missing)} ${missing === 1 ? 'store was' : 'stores were'} not added`}
        >
          The plan allows no more watched stores, because others were added meanwhile.
        </Notice>
      )}
      {unread > 0 && (
        <Notice kind="warning" title={unreadText(unread)}>
          {unreadReasons}
        </Notice>
      )}
    </>
  );
}

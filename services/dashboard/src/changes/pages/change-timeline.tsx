import { History } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { isolatedText } from '../../app/components/foreign-text.tsx';
import { zoned } from '../../app/components/formats.ts';
import { useSearchWith } from '../../app/components/search.tsx';
import { Time, useTimeZone } from '../../app/components/time.tsx';
import type { Change, WatchlistNames } from '../domain/change.ts';
import { describeChange } from './describe-change.tsx';

interface TimelineProps {
  /** The latest first. */
  changes: readonly Change[];
  base: string;
  watchlists: WatchlistNames;
  /** Changes above this sequence came after the page was opened. */
  seenSequence: number;
}

const dayOf = zoned({ weekday: 'long', day: 'numeric', month: 'long' });
const tones = { ok: 'text-ok', warning: 'text-warning', danger: 'text-danger', quiet: 'text-quiet' } as const;
const maxNames = 3;

/** Changes by the day of the reader, the latest first. */
export function ChangeTimeline({ changes, ...rest }: TimelineProps) {
  const timeZone = useTimeZone();
  const days = Map.groupBy(changes, ({ atMs }) => dayOf(atMs, timeZone));
  return (
    <ol aria-label="Changes" className="@container grid min-w-0 content-start gap-6">
      {[...days].map(([day, members]) => (
        <li key={day} className="grid gap-1">
          <h2 className="border-b pb-2 text-sm font-medium text-quiet">{day}</h2>
          <ol>
            {members.map((change) => (
              <ChangeRow key={change.id} change={change} {...rest} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function ChangeRow({ change, base, watchlists, seenSequence }: { change: Change } & Omit<TimelineProps, 'changes'>) {
  const searchWith = useSearchWith();
  const open = useSearchParams()[0].get('store');
  const { icon: Icon, tone = 'quiet', subject, to, isCode, text } = describeChange(change, base, watchlists);
  const shown = isolatedText(subject);
  const subjectClass = `min-w-0 font-medium [overflow-wrap:anywhere] ${isCode ? 'code' : ''}`;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-b border-line py-2.5 @3xl:grid-cols-[auto_minmax(0,20rem)_minmax(0,1fr)_auto] @3xl:items-baseline">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 @3xl:self-start ${tones[tone]}`} />
      <span className="flex min-w-0 items-baseline gap-2">
        {to ? (
          <Link to={to} className={`${subjectClass} rounded hover:underline`}>
            {shown}
          </Link>
        ) : (
          <span className={subjectClass}>{shown}</span>
        )}
        {change.sequence > seenSequence && (
          <span className="shrink-0 rounded-full bg-accent-soft px-2 text-xs text-accent">New</span>
        )}
      </span>
      <span className="col-start-2 min-w-0 [overflow-wrap:anywhere] @3xl:col-start-auto">
        {text}
        <Origins change={change} watchlists={watchlists} />
      </span>
      <span
        data-times="end"
        className="col-start-2 flex items-baseline gap-4 text-sm whitespace-nowrap text-quiet @3xl:col-start-auto @3xl:justify-end"
      >
        {change.domain && (
          <Link
            to={`${searchWith({ store: change.domain, history: undefined })}#history`}
            aria-label={`History of ${change.domain}`}
            aria-current={change.domain === open || undefined}
            className="aria-[current]:text-accent inline-flex items-baseline gap-1 rounded hover:text-text hover:underline"
          >
            <History aria-hidden className="size-3.5 self-center" />
            History
          </Link>
        )}
        <Time ms={change.atMs} as="clock" />
      </span>
    </li>
  );
}

/** The watchlists that the event comes from, and the workspace's own ids of the store. */
function Origins({ change, watchlists }: { change: Change; watchlists: WatchlistNames }) {
  const names = change.watchlistIds.flatMap((id) => watchlists[id] ?? []);
  const all = [...names, ...change.externalIds];
  if (all.length === 0) return null;
  const more = all.length > maxNames ? ` and ${all.length - maxNames} more` : '';
  return (
    <span className="block text-sm text-quiet">
      {all
        .slice(0, maxNames)
        .map((name) => isolatedText(name, 60))
        .join(' · ')}
      {more}
    </span>
  );
}

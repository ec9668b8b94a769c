import { CircleAlert, Pause, RefreshCw } from 'lucide-react';
import type { LiveState } from '../live.ts';
import { exactTime, useTimeZone } from './time.tsx';

/** Says of when the figures of a live page are, and whether they go on changing. */
export function LiveStatus({ state, nowMs }: { state: LiveState; nowMs: number }) {
  const timeZone = useTimeZone();
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone }).format(nowMs);
  const {
    icon: Icon,
    text,
    tone,
  } = {
    live: { icon: RefreshCw, text: 'Updated', tone: 'text-quiet' },
    paused: { icon: Pause, text: 'Paused, as of', tone: 'text-quiet' },
    late: { icon: CircleAlert, text: 'Not reachable, as of', tone: 'text-warning' },
  }[state];
  return (
    <p className={`flex items-center gap-1.5 text-sm ${tone}`} title={`${exactTime(nowMs, 'UTC')} UTC`}>
      <Icon aria-hidden className="size-3.5" />
      {text}{' '}
      <time dateTime={new Date(nowMs).toISOString()} className="tabular-nums">
        {time}
      </time>
    </p>
  );
}

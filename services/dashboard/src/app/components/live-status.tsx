import { CircleAlert, Pause, RefreshCw } from 'lucide-react';
import type { LiveState } from '../pages/live.ts';
import { Time } from './time.tsx';

/** Shows the time of the figures of a live page, and whether they are still updated. */
export function LiveStatus({ state, nowMs }: { state: LiveState; nowMs: number }) {
  const {
    icon: Icon,
    text,
    tone,
  } = {
    live: { icon: RefreshCw, text: 'Updated', tone: 'text-quiet' },
    paused: { icon: Pause, text: 'Paused. Last update', tone: 'text-quiet' },
    late: { icon: CircleAlert, text: 'No new data. Last update', tone: 'text-warning' },
  }[state];
  return (
    <p data-times="end" className={`flex items-center gap-1.5 text-sm ${tone}`}>
      <Icon aria-hidden className="size-3.5" />
      {text}{' '}
      <span className="tabular-nums">
        <Time ms={nowMs} as="clock" />
      </span>
    </p>
  );
}

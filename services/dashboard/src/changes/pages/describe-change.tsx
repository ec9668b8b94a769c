import { isolated } from '@shopscope/text';
import {
  BellRing,
  CircleCheck,
  CircleX,
  Gauge,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Pause,
  Play,
  Undo2,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ForeignText } from '../../app/components/foreign-text.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { ownValue } from '../../app/domain/own-value.ts';
import { jobPath } from '../../jobs/pages.ts';
import { asWords, type SignalChange, SignalText, signalIconOf } from '../../stores/pages.ts';
import { units } from '../../usage/pages.ts';
import type { Change, WatchlistNames } from '../domain/change.ts';

/** An event in words. */
export interface Description {
  icon: LucideIcon;
  tone?: 'ok' | 'warning' | 'danger';
  /** What the event is about, and the page of it. `isCode`: a domain or an address. */
  subject: string;
  to?: string | undefined;
  isCode?: boolean;
  text: ReactNode;
}

const signalOf = ({ kind = '', technology = '', from, to }: Change): SignalChange => ({
  type: kind,
  technology,
  from,
  to,
});

const ofStore = ({ domain = '' }: Change, base: string) => ({
  subject: domain,
  isCode: true,
  to: `${base}/stores?${new URLSearchParams({ domain })}`,
});

/** The page of a deleted watchlist does not exist, so only known ones have a link. */
const ofWatchlist = ({ name, watchlistId = '' }: Change, base: string, watchlists: WatchlistNames) => ({
  subject: name ?? 'Watchlist',
  to: Object.hasOwn(watchlists, watchlistId) ? `${base}/watchlists/${watchlistId}` : undefined,
});

const pauses: Readonly<Record<string, string>> = {
  budget_exhausted: 'the budget of the watchlist is spent',
  allowance_exhausted: 'the allowance of the workspace is spent',
  key_revoked: 'the key that set the interval has ended',
};

function ScanLink({ change: { jobId }, base, text }: { change: Change; base: string; text: string }) {
  if (jobId === undefined) return text;
  return (
    <Link to={`${base}/stores/scans/${encodeURIComponent(jobId)}`} className="rounded hover:underline">
      {text}
    </Link>
  );
}

type Describe = (change: Change, base: string, watchlists: WatchlistNames) => Description;

/** The functions that describe an event, by its type. An event that lacks a field of its type is shown without the field. */
const descriptions: Readonly<Record<string, Describe>> = {
  'signal.confirmed': (change, base) => ({
    ...ofStore(change, base),
    icon: signalIconOf(change.kind ?? ''),
    text: <SignalText signal={signalOf(change)} nameOf={asWords} />,
  }),
  'signal.retracted': (change, base) => ({
    ...ofStore(change, base),
    icon: Undo2,
    text: (
      <>
        Retracted: <SignalText signal={signalOf(change)} nameOf={asWords} />
      </>
    ),
  }),
  'scan.completed': (change, base) => ({
    ...ofStore(change, base),
    icon: CircleCheck,
    tone: 'ok',
    text: <ScanLink change={change} base={base} text="Scan completed" />,
  }),
  'scan.failed': (change, base) => ({
    ...ofStore(change, base),
    icon: CircleX,
    tone: 'danger',
    text: (
      <>
        <ScanLink change={change} base={base} text="Scan failed" />.{' '}
        <ForeignText text={change.failure ?? 'The store could not be observed.'} max={160} />
      </>
    ),
  }),
  'job.finished': ({ kind = '', jobId, progress, state }, base) => ({
    icon: ListChecks,
    subject: kind === 'enrich' ? 'Enrichment of a list' : 'Job',
    to: jobId && base + jobPath({ id: encodeURIComponent(jobId), type: kind }),
    text: `${state ? asWords(state) : 'Ended'}${progress ? `: ${formatNumber(progress.done)} of ${formatNumber(progress.total)} done, ${formatNumber(progress.failed)} failed` : ''}`,
  }),
  'usage.threshold_reached': ({ unit = '', percent = 0 }, base) => ({
    icon: Gauge,
    tone: percent >= 100 ? 'danger' : 'warning',
    subject: units.find((each) => each.unit === unit)?.label ?? asWords(unit),
    to: `${base}/usage`,
    text: percent >= 100 ? 'All of the allowance is used' : `${percent} % of the allowance is used`,
  }),
  'key.expiring': ({ keyId, daysLeft }, base) => ({
    icon: KeyRound,
    tone: 'warning',
    subject: 'API key',
    to: keyId && `${base}/settings/keys/${encodeURIComponent(keyId)}`,
    text: daysLeft === 1 ? 'Expires in one day' : `Expires in ${daysLeft ?? 'some'} days`,
  }),
  'watchlist.paused': (change, ...rest) => ({
    ...ofWatchlist(change, ...rest),
    icon: Pause,
    text: 'Watchlist paused',
  }),
  'watchlist.resumed': (change, ...rest) => ({
    ...ofWatchlist(change, ...rest),
    icon: Play,
    text: 'Watchlist resumed',
  }),
  'watchlist.rescans_paused': (change, ...rest) => ({
    ...ofWatchlist(change, ...rest),
    icon: Pause,
    tone: 'warning',
    text: `Rescans paused: ${ownValue(pauses, change.reason ?? '') ?? asWords(change.reason ?? '').toLowerCase()}`,
  }),
  'watchlist.rescans_resumed': (change, ...rest) => ({
    ...ofWatchlist(change, ...rest),
    icon: Play,
    text: 'Rescans resumed',
  }),
  'webhook.failing': ({ url = 'Webhook' }) => ({
    icon: Webhook,
    tone: 'warning',
    subject: url,
    isCode: true,
    text: 'No delivery has succeeded for 24 hours',
  }),
  'webhook.disabled': ({ url = 'Webhook', reason }) => ({
    icon: Webhook,
    tone: 'danger',
    subject: url,
    isCode: true,
    text: `Disabled${reason ? `: ${isolated(reason)}` : ''}`,
  }),
};

/** A type that this version does not know is shown by its name. */
export function describeChange(change: Change, base: string, watchlists: WatchlistNames): Description {
  const describe = ownValue(descriptions, change.type);
  if (describe) return describe(change, base, watchlists);
  const text = asWords(change.type.replaceAll('.', ' '));
  if (change.domain) return { ...ofStore(change, base), icon: BellRing, text };
  return { icon: BellRing, subject: text, text: '' };
}

import { CirclePlus, CircleX, type LucideIcon, MoveRight } from 'lucide-react';
import { monthName } from '../../app/components/formats.ts';
import { Time } from '../../app/components/time.tsx';
import { ownValue } from '../../app/domain/own-value.ts';
import type { StoreSignal } from '../domain/store.ts';
import { asWords, installStateOf, statusOf } from './store-labels.ts';

const looks: Readonly<Record<string, { icon: LucideIcon; word: string }>> = {
  technology_added: { icon: CirclePlus, word: 'Added' },
  technology_removed: { icon: CircleX, word: 'Removed' },
};

/** The latest confirmed changes of a store by month, newest first. `nameOf` returns the name for a slug. */
export function StoreSignals(props: { signals: readonly StoreSignal[]; nameOf(slug: string): string }) {
  const { signals, nameOf } = props;
  if (signals.length === 0) {
    return <p className="text-quiet">No change has been confirmed since the first scan.</p>;
  }
  const months = Map.groupBy(signals, ({ effective_at }) => monthName(Date.parse(effective_at)));
  return (
    <ol className="grid gap-4">
      {[...months].map(([month, changes]) => (
        <li key={month} className="grid gap-2">
          <h3 className="text-sm text-quiet">{month}</h3>
          <ul className="grid gap-2">
            {changes.map((signal) => (
              <Signal key={signal.id} signal={signal} nameOf={nameOf} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

const lookOf = (type: string) => ownValue(looks, type) ?? { icon: MoveRight, word: 'Changed' };

/** The icon of a signal of this type. */
export const signalIconOf = (type: string): LucideIcon => lookOf(type).icon;

/** The members of a signal that say what has changed. */
export type SignalChange = Pick<StoreSignal, 'type' | 'technology' | 'from' | 'to'>;

/** What has changed, in words. `nameOf` returns the name for a slug. */
export function SignalText({ signal, nameOf }: { signal: SignalChange; nameOf(slug: string): string }) {
  return (
    <>
      {lookOf(signal.type).word} {subjectOf(signal, nameOf)}
    </>
  );
}

function Signal({ signal, nameOf }: { signal: StoreSignal; nameOf(slug: string): string }) {
  const Icon = signalIconOf(signal.type);
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-quiet" />
      <span className="min-w-0 grow [overflow-wrap:anywhere]">
        <SignalText signal={signal} nameOf={nameOf} />
      </span>
      <span data-times="end" className="shrink-0 text-quiet">
        <Time ms={Date.parse(signal.effective_at)} as="date" />
      </span>
    </li>
  );
}

function subjectOf({ type, technology, from, to }: SignalChange, nameOf: (slug: string) => string) {
  const moved = (word: (value: string) => string) => (
    <>
      from {from === null ? 'nothing' : word(from)} to {to === null ? 'nothing' : word(to)}
    </>
  );
  if (type === 'platform_changed') return <>the platform {moved(nameOf)}</>;
  if (type === 'status_changed') return <>the status {moved((state) => statusOf(state).word.toLowerCase())}</>;
  if (type === 'install_state_changed') {
    return (
      <>
        <bdi className="font-medium">{nameOf(technology)}</bdi>{' '}
        {moved((state) => installStateOf(state).word.toLowerCase())}
      </>
    );
  }
  return <bdi className="font-medium">{nameOf(technology)}</bdi>;
}

/** Returns the name of a slug from the store's own entries. If it is not there, returns the slug as words. */
export const namesOfSlugs =
  (entries: readonly { slug: string; name: string }[]) =>
  (slug: string): string =>
    entries.find((entry) => entry.slug === slug)?.name.slice(0, 80) ?? asWords(slug);

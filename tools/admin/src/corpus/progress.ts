import { escaped } from '@shopscope/text';
import type { Console } from '../command.ts';

interface Sample {
  atMs: number;
  stores: number;
  /** The part that is done, from 0 to 1; undefined while it is unknown. */
  share: number | undefined;
}

export interface ProgressOptions {
  console: Pick<Console, 'report' | 'isTerminal' | 'columns'>;
  /** The participle of the work, such as `imported`. */
  verb: string;
  /** Does the work. Its outages are told. */
  service: string;
  nowMs?(): number;
}

const drawIntervalMs = 200;
const lineIntervalMs = 5_000;
/** The rate is that of this time, so that it follows changes and does not jump. */
const rateWindowMs = 10_000;
const barWidth = 24;
const clearLine = '\r\x1b[K';

/** Shows progress. A terminal has one line that is drawn again and again. Other outputs get a new line every few seconds. */
export function createProgress({ console, verb, service, nowMs = () => performance.now() }: ProgressOptions) {
  const { report: write, isTerminal, columns } = console;
  // A terminal of unknown size reports 0.
  const width = columns || 80;
  const intervalMs = isTerminal ? drawIntervalMs : lineIntervalMs;
  const samples: Sample[] = [];
  let drawnAtMs = nowMs();
  let readShare: number | undefined;
  let retriedAtMs = Number.NEGATIVE_INFINITY;
  const note = (text: string) => write(`${isTerminal ? clearLine : ''}${escaped(text)}\n`);

  return {
    /** Writes a line of its own, above the bar. */
    note,
    /** The part of the input that was read, from 0 to 1: the share of updates without one. */
    onRead(share: number) {
      readShare = share;
    },
    /** One note per outage, not per call. */
    onRetry() {
      if (nowMs() - retriedAtMs < lineIntervalMs) return;
      retriedAtMs = nowMs();
      note(`${service} does not answer; trying again`);
    },
    /** May be called at any rate, because output is limited to one line per interval. */
    update({ stores, share = readShare }: { stores: number; share?: number | undefined }) {
      const atMs = nowMs();
      if (samples.length > 0 && atMs - drawnAtMs < intervalMs) return;
      samples.push({ atMs, stores, share });
      while (samples.length > 2 && atMs - (samples[0]?.atMs ?? atMs) > rateWindowMs) samples.shift();
      if (samples.length < 2) return;
      drawnAtMs = atMs;
      const text = textOf(verb, samples);
      if (isTerminal) write(`${clearLine}${barOf(share)}${text}`.slice(0, width + 3));
      else write(`${text}\n`);
    },
    end: () => isTerminal && write(clearLine),
  };
}

function textOf(verb: string, samples: readonly Sample[]): string {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return '';
  const seconds = Math.max(1, last.atMs - first.atMs) / 1_000;
  const { stores, share } = last;
  const parts = [`${number(stores)} stores ${verb}`, `${number((stores - first.stores) / seconds)}/s`];
  if (share !== undefined) {
    parts.unshift(`${Math.floor(share * 100)} %`);
    const shareOfWindow = share - (first.share ?? 0);
    if (shareOfWindow > 0) parts.push(`${duration(((1 - share) / shareOfWindow) * seconds)} left`);
  }
  return parts.join(', ');
}

function barOf(share: number | undefined): string {
  if (share === undefined) return '';
  const full = Math.round(Math.min(1, share) * barWidth);
  return `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}] `;
}

export const number = (value: number): string => Math.round(value).toLocaleString('en-US');

function duration(seconds: number): string {
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

import { hourMs, minuteMs, secondMs } from '@shopscope/clock';
import type { Delivery } from './delivery.ts';

/** The pause before each attempt, counted from the attempt before it. */
const pausesMs = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;
export const maxTries = pausesMs.length;
/** Receivers that recover are not met by all deliveries at once. */
const maxJitter = 0.1;
const maxRetryAfterMs = 24 * hourMs;

/** What a response, or its absence, says about the next attempt. */
export interface Answer {
  status: number | null;
  /** Headers with names in lower case. */
  headers: Readonly<Record<string, string>>;
}

export type Outcome = { state: 'succeeded' | 'failed' } | { state: 'retrying'; dueAt: Date };

/**
 * Decides what follows an attempt that ended at `now`. `random` is from 0 to 1.
 *
 * - 2xx -> succeeded.
 * - The header `webhook-delivery: abort-message` -> failed, without another attempt.
 * - Else the next attempt is due after the pause of the schedule. Retry-After of 429 and 503 can only move it to a later time.
 */
export function outcomeOf(
  { tries, extra }: Pick<Delivery, 'tries' | 'extra'>,
  answer: Answer,
  { now, random }: { now: Date; random: number },
): Outcome & { tries: number } {
  const done = extra === null ? tries + 1 : tries;
  if (isSuccess(answer)) return { state: 'succeeded', tries: done };
  const pauseMs = extra === 'only' ? undefined : pausesMs[done];
  if (pauseMs === undefined || isAborted(answer)) return { state: 'failed', tries: done };
  const byScheduleMs = pauseMs * (1 + maxJitter * random);
  const dueMs = now.getTime() + Math.max(byScheduleMs, retryAfterMs(answer, now) ?? 0);
  return { state: 'retrying', dueAt: new Date(dueMs), tries: done };
}

export const isSuccess = ({ status }: Answer): boolean => status !== null && status >= 200 && status <= 299;

const isAborted = ({ headers }: Answer): boolean =>
  headers['webhook-delivery']?.trim().toLowerCase() === 'abort-message';

/** The pause that the receiver asks for, in seconds or as a date. Undefined if it asks for none. */
export function retryAfterMs({ status, headers }: Answer, now: Date): number | undefined {
  const text = headers['retry-after']?.trim();
  if (!text || (status !== 429 && status !== 503)) return undefined;
  const ms = /^\d{1,15}$/.test(text) ? Number(text) * secondMs : httpDateMs(text) - now.getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : undefined;
}

/** Only the date of RFC 9110 counts, because Date.parse accepts numbers and words as dates. */
const httpDateMs = (text: string): number =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;

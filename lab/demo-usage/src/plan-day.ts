import { hash } from 'node:crypto';
import { dayMs, hourMs } from '@shopscope/clock';
import { deriveId } from '@shopscope/ids';
import type { Units } from '@shopscope/proto';
import { seededRandom } from '@shopscope/testing/random';

/**
 * The pattern of a key's charges. Each run plans the same charges with the same ids for a day, because they depend only on the options.
 *
 * - `production`: many requests on weekdays and fewer at weekends. Their number grows for two weeks.
 * - `batch`: a nightly job with most of the live look-ups.
 * - `stopped`: a former integration, which has sent nothing since five days before the first run.
 * - `testing`: a few requests, and none on some days.
 *
 * Bounds: all keys together use at most 70 % of an allowance in a month. A key has at most 60 charges a day.
 */
export type KeyPattern = 'production' | 'batch' | 'stopped' | 'testing';

export interface DemoKey {
  keyId: string;
  /** The prefix of the key, which the request log shows. */
  prefix: string;
  pattern: KeyPattern;
}

export interface PlannedCharge {
  chargeId: string;
  keyId: string;
  units: Units;
  operation: string;
  /** The time of the response, counted from the start of the day. */
  atMs: number;
}

export interface PlanOptions {
  seed: string;
  workspaceId: string;
  keys: readonly DemoKey[];
  included: Units;
  /** The first instant of the day of the first run. */
  firstRunDayMs: number;
}

interface Pattern {
  /** The part of all look-ups that keys of this pattern send. */
  share: number;
  /** The part of all live look-ups that keys of this pattern send. */
  liveShare: number;
  /** The factors of the days from Sunday to Saturday. */
  week: readonly [number, number, number, number, number, number, number];
  /** The hours in UTC between which the requests are sent. */
  hours: readonly [number, number];
  /** The factor of a day. `age` is the number of days since the first run, and negative before it. */
  trend(age: number): number;
}

const patterns: Record<KeyPattern, Pattern> = {
  production: {
    share: 0.5,
    liveShare: 0.35,
    week: [0.4, 0.95, 1, 1, 1, 0.85, 0.45],
    hours: [6, 21],
    trend: (age) => Math.min(1, Math.max(0.55, 1 + 0.035 * age)),
  },
  batch: { share: 0.3, liveShare: 0.6, week: [0.9, 1, 1, 1, 1, 1, 0.9], hours: [2, 4], trend: () => 0.9 },
  stopped: {
    share: 0.15,
    liveShare: 0,
    week: [0.25, 1, 1, 1, 1, 0.9, 0.25],
    hours: [8, 18],
    trend: (age) => (age < -5 ? 1 : 0),
  },
  testing: { share: 0.05, liveShare: 0.05, week: [0, 0.8, 1, 0, 1, 0.6, 0], hours: [9, 17], trend: () => 1 },
};

/** A month with full growth uses this part of an allowance. Random variation adds at most 12 %. */
const monthlyShare = 0.6;
const daysOfMonth = 31;
/** The maximum number of look-ups of all keys in a day. With their variation they fit into {@link maxCharges} charges of a key. */
const maxDailyLookUps = 5_000;
const maxDailyLiveLookUps = 120;
const maxCharges = 60;
const lookUpsPerCharge = 40;
/** The maximum number of stores that the contract allows in a request. */
const maxLookUpsPerCharge = 100;

export function planDay(options: PlanOptions, dayStartMs: number): PlannedCharge[] {
  return options.keys.flatMap((key, n) => planKeyDay(options, key, n, dayStartMs));
}

function planKeyDay(options: PlanOptions, key: DemoKey, n: number, dayStartMs: number): PlannedCharge[] {
  const { seed, workspaceId, keys, included } = options;
  const pattern = patterns[key.pattern];
  const day = new Date(dayStartMs).toISOString().slice(0, 10);
  // The seed has no ids, so that the charts look the same in every installation.
  const random = createRandom([seed, n, key.pattern, day].join('/'));
  const age = Math.round((dayStartMs - options.firstRunDayMs) / dayMs);
  const factor = (pattern.week[new Date(dayStartMs).getUTCDay()] ?? 0) * pattern.trend(age) * random.within(0.88, 1.12);
  const peers = keys.filter((other) => other.pattern === key.pattern).length;
  const amount = (allowance: number, most: number, share: number) =>
    Math.floor((Math.min(most, (monthlyShare * allowance) / daysOfMonth) * share * factor) / peers);

  const lookUps = split(amount(included.lookupCached, maxDailyLookUps, pattern.share), random);
  const live = scatter(amount(included.lookupLive, maxDailyLiveLookUps, pattern.liveShare), lookUps.length, random);
  const times = lookUps.map(() => Math.floor(random.within(...pattern.hours) * hourMs)).sort((a, b) => a - b);
  return lookUps.map((lookupCached, i) => ({
    chargeId: deriveId('chg', 'demo usage', seed, workspaceId, key.keyId, day, String(i)),
    keyId: key.keyId,
    units: { lookupCached, lookupLive: live[i] ?? 0, historyQuery: 0, refreshRequested: 0 },
    operation: lookupCached === 1 ? 'getStore' : 'enrichStores',
    atMs: times[i] ?? 0,
  }));
}

/** Returns parts of different sizes. Each part is at least 1, and their sum is at most `total`. */
function split(total: number, random: Random): number[] {
  const count = Math.min(maxCharges, Math.ceil(total / lookUpsPerCharge));
  const weights = Array.from({ length: count }, () => random.within(0.3, 1.7));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights
    .map((weight) => Math.min(maxLookUpsPerCharge, Math.floor((total * weight) / sum)))
    .filter((part) => part > 0);
}

/** Distributes `total` single units at random over `count` charges. */
function scatter(total: number, count: number, random: Random): number[] {
  const parts = Array.from({ length: count }, () => 0);
  for (let n = 0; n < total && count > 0; n++) {
    const at = Math.floor(random.within(0, count));
    parts[at] = (parts[at] ?? 0) + 1;
  }
  return parts;
}

export type Random = ReturnType<typeof createRandom>;

/** Random numbers that depend only on the seed, which is a text. */
export function createRandom(seed: string) {
  const next = seededRandom(hash('sha256', seed, 'buffer').readUInt32LE(0));
  /** Returns a number from `min` to below `max`. */
  return { within: (min: number, max: number) => min + next() * (max - min) };
}

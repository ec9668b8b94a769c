import { hourMs } from '@shopscope/clock';
import { seededRandom } from '@shopscope/testing/random';
import { minAgreementMs } from '../../src/domain/agreement.ts';
import { type Method, notSeenFor30Days, oneScanDiff, ours, type Reported } from './methods.ts';
import { type PlantedStore, plantStore, type TrueChange, truthAt } from './planted-store.ts';
import type { Random } from './random.ts';
import type { Rates } from './rates.ts';
import { hourOf, visit } from './visit.ts';

export interface SimulationOptions {
  seeds: number;
  /** Stores of each seed. */
  stores: number;
  days: number;
  /** Days between two scans of a store. */
  everyDays: number;
  rates: Rates;
}

export const methods = { ours, oneScanDiff, notSeenFor30Days };
export type MethodName = keyof typeof methods;

export interface MethodResult {
  /** Reports that were not true when they were made. */
  false: Record<Reported['kind'], number>;
  /** The number of these reports that were retracted. */
  retracted: number;
  true: Record<TrueChange['kind'], TrueResult>;
}

export interface TrueResult {
  /** Changes that could be confirmed before the end of the simulation. */
  planted: number;
  /** Scans at least six hours apart, and days, from the change to the report; of each change that was reported. */
  scans: number[];
  days: number[];
}

export interface SimulationResult {
  storeYears: number;
  methods: Record<MethodName, MethodResult>;
}

/** A change that happens later than this before the end is not counted: no method has the scans for it. */
const timeToConfirmDays = 45;
const minAgreementHours = minAgreementMs / hourMs;

export function simulate(options: SimulationOptions): SimulationResult {
  const result: SimulationResult = {
    storeYears: (options.seeds * options.stores * options.days) / 365,
    methods: { ours: emptyResult(), oneScanDiff: emptyResult(), notSeenFor30Days: emptyResult() },
  };
  for (let seed = 1; seed <= options.seeds; seed++) {
    for (let n = 0; n < options.stores; n++) {
      // Each store has its own numbers, and its visits have others: a change of one rate leaves the other stores as they are.
      const store = plantStore(seededRandom(seed * 1_000_003 + n), options.rates, options.days);
      const observed = observe(store, seededRandom((seed * 1_000_003 + n) ^ 0x5bd1e995), options);
      for (const [name, create] of Object.entries(methods) as [MethodName, () => Method][]) {
        const method = create();
        for (const observation of observed.observations) method.observe(observation);
        judge(store, observed.countingHours, method.reported, options, result.methods[name]);
      }
    }
  }
  return result;
}

/** Returns the observations of one store, and the times of the full ones that are six hours apart. */
function observe(store: PlantedStore, random: Random, { days, everyDays, rates }: SimulationOptions) {
  const observations: NonNullable<ReturnType<typeof visit>>[] = [];
  const countingHours: number[] = [];
  const scan = (hour: number) => {
    const found = visit(store, rates, random, { hour, sequence: observations.length + 1 });
    if (!found) return;
    observations.push(found);
    const last = countingHours.at(-1) ?? Number.NEGATIVE_INFINITY;
    const isPartial = found.outcome === 'observed' && found.scope === 'partial';
    const seenAtHour = hourOf(found.completedAt);
    if (!isPartial && seenAtHour - last >= minAgreementHours) countingHours.push(seenAtHour);
  };
  const phase = random() * everyDays;
  for (let day = phase; day < days; day += everyDays) {
    // Scans of a schedule begin when a scanner is free.
    const hour = (day + random() * Math.min(1, everyDays / 4)) * 24;
    scan(hour);
    if (random() < rates.askedAgainShare) scan(hour + 0.1 + random() * 2.9);
  }
  return { observations, countingHours };
}

function judge(
  store: PlantedStore,
  countingHours: readonly number[],
  reported: readonly Reported[],
  { days }: SimulationOptions,
  result: MethodResult,
): void {
  for (const report of reported) {
    if (isTrue(store, report)) continue;
    result.false[report.kind] += 1;
    if (report.retractedAt) result.retracted += 1;
  }
  for (const [at, change] of store.changes.entries()) {
    // The next change of the store ends the time in which this one can be seen.
    const endHour = Math.min(store.changes[at + 1]?.atHour ?? days * 24, days * 24);
    const firstHour = countingHours[0] ?? Number.POSITIVE_INFINITY;
    if (change.atHour < firstHour || endHour - change.atHour < timeToConfirmDays * 24) continue;
    const { [change.kind]: found } = result.true;
    found.planted += 1;
    const report = reported.find((each) => isOf(change, each) && hourOf(each.at) >= change.atHour && !each.retractedAt);
    if (!report) continue;
    const scans = countingHours.filter((hour) => hour >= change.atHour && hour <= hourOf(report.at)).length;
    found.scans.push(scans);
    found.days.push((hourOf(report.at) - change.atHour) / 24);
  }
}

function isOf(change: TrueChange, { kind, to }: Reported): boolean {
  if (change.kind === 'removal') return kind === 'removal' && to === change.technology;
  return change.kind === 'migration'
    ? kind === 'platform' && to === change.platform
    : kind === 'status' && to === change.state;
}

/** Whether a report is true. If a store is closed permanently, any report of a removal is true. */
function isTrue(store: PlantedStore, report: Reported): boolean {
  const truth = truthAt(store, hourOf(report.at));
  const isClosed = truth.state !== 'active_storefront';
  if (report.kind === 'status') return report.to === truth.state;
  if (isClosed) return true;
  if (report.kind === 'platform') return report.to === truth.platform;
  return truth.technologies.every(({ slug }) => slug !== report.to);
}

const emptyTrue = (): TrueResult => ({ planted: 0, scans: [], days: [] });
const emptyResult = (): MethodResult => ({
  false: { removal: 0, platform: 0, status: 0 },
  retracted: 0,
  true: { removal: emptyTrue(), migration: emptyTrue(), closure: emptyTrue() },
});

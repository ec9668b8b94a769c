import { setImmediate } from 'node:timers/promises';
import { MergeOutcome, type ProfileUpdated, type TestScanCompleted } from '@shopscope/proto';
import { type Origin, originFields } from '@shopscope/telemetry';
import { parseId } from '@shopscope/text';
import { notAfter } from '../../domain/future-times.ts';
import { keepSignals } from '../../domain/kept-signal.ts';
import { mergeObservation, superseded } from '../../domain/merge-observation.ts';
import { storeBody } from '../../domain/store-body.ts';
import { storeValuesOf } from '../../domain/store-profile.ts';
import { pastEndMs, pastStore, testObservation } from '../../domain/test-store.ts';
import { unlistedCategoryOf } from '../../domain/values.ts';
import { profileUpdatedOf } from '../../outbound/events/profile-updated.ts';
import type { ScannedStore } from '../../outbound/mongo/test-stores.ts';
import type { TestTenant } from '../../outbound/mongo/test-tenants.ts';
import { recordIn } from '../record-signals.ts';
import type { TestDependencies } from './dependencies.ts';

/** A scan can be delivered again during the retention of its topic. Earlier scans have a lower sequence, and change nothing either. */
const maxScanIds = 100;
/** The oldest signals of a store are forgotten beyond this number. */
const maxSignals = 500;

export interface CompletedTestScan {
  event: TestScanCompleted;
  origin: Origin;
}

/**
 * Merges simulated scans into the stores of a workspace, in their order, in one transaction with their events. Other calls run between two scans.
 *
 * - A scan was merged before -> it changes nothing, and there is no event.
 * - A later scan was merged, or the stores were reset after the end of the scan -> the scan changes nothing, and its event rejects it as
 *   `superseded`. A scan lasts longer than the clocks of two instances differ, so a scan that was requested after the reset is merged.
 * - Scans of a store are missing -> the scan is merged: what it sees depends only on its number.
 * - Scans of a domain find no store -> `invalid_request`, and no scan is merged. The caller repeats the others without it.
 * - Bound: the caller bounds the number of scans.
 */
export async function mergeTestScans(
  deps: TestDependencies,
  workspace: string,
  scans: readonly CompletedTestScan[],
): Promise<void> {
  const workspaceId = parseId('workspace_id', workspace, 'ws');
  const results = await recordIn(deps, (recordedAt) =>
    deps.transact(async (tx) => {
      const nowMs = deps.clock.now();
      const ended = scans.map(({ event, origin }) => {
        return { scan: { ...event, completedAtMs: notAfter(event.completedAtMs, nowMs) }, origin };
      });
      const firstMs = ended[0]?.scan.completedAtMs ?? nowMs;
      const tenant = await deps.tenants.touch(workspaceId, { at: new Date(firstMs), nowMs }, tx);
      const domains = [...new Set(scans.map(({ event }) => event.domain))];
      const stores = await deps.stores.findAll(workspaceId, domains, tx);
      const changed = new Map<string, ScannedStore>();
      const events: Parameters<TestDependencies['appendEvents']>[1][number][] = [];
      const outcomes: string[] = [];
      for (const { scan, origin } of ended) {
        const merged = await mergeScan(deps, { tenant, scan, found: stores.get(scan.domain), nowMs, recordedAt });
        if (merged?.store) {
          stores.set(scan.domain, merged.store);
          changed.set(scan.domain, merged.store);
        }
        if (merged) events.push({ event: { ...merged.update, workspaceId }, meta: { ...origin, environment: 'test' } });
        outcomes.push(outcomeOf(merged?.update));
        await setImmediate();
      }
      await deps.stores.saveAll(workspaceId, [...changed.values()], nowMs, tx);
      await deps.appendEvents(tx, events);
      return outcomes;
    }),
  );
  for (const [index, { event, origin }] of scans.entries()) {
    const { domain, scanId, sequence } = event;
    const fields = { ...originFields(origin), scanId, domain, sequence, workspaceId };
    deps.logger.info(fields, `test observation ${results[index]}`);
  }
}

interface ScanToMerge {
  tenant: TestTenant;
  scan: TestScanCompleted;
  /** The store after earlier scans of the workspace. */
  found: Omit<ScannedStore, 'body'> | undefined;
  nowMs: number;
  recordedAt: () => Promise<Date>;
}

interface MergedScan {
  /** Undefined if the scan changed nothing. */
  store: ScannedStore | undefined;
  update: ProfileUpdated;
}

/** Returns the store after the scan, and the event. Undefined if the scan was merged before. */
async function mergeScan(
  deps: TestDependencies,
  { tenant, scan, found, nowMs, recordedAt }: ScanToMerge,
): Promise<MergedScan | undefined> {
  const { domain, scanId } = scan;
  const startedAtMs = tenant.startedAt.getTime();
  const observation = testObservation(scan, startedAtMs, deps.technologies.find);
  if (found?.scanIds.includes(scanId)) return undefined;
  const before = found ?? pastStore(domain, pastEndMs(scan, startedAtMs), deps.technologies.find);
  const isOfBeforeReset = tenant.resetAt !== undefined && scan.completedAtMs <= tenant.resetAt.getTime();
  const merge = isOfBeforeReset
    ? { profile: null, shown: false, reason: superseded, signals: [] }
    : mergeObservation(before?.profile ?? null, observation);
  const profile = merge.profile ?? before?.profile;
  const body = profile && storeBody(profile, deps.siteUrl);
  const values = profile && storeValuesOf(profile);
  let store: ScannedStore | undefined;
  if (merge.profile && body && values) {
    const confirms = merge.signals.some(({ state }) => state === 'confirmed');
    const record = { values, recordedAt: confirms ? await recordedAt() : new Date(nowMs) };
    const signals = keepSignals(before?.signals ?? [], merge.signals, record).slice(-maxSignals);
    const scanIds = [...(found?.scanIds ?? []), scanId].slice(-maxScanIds);
    store = { profile: merge.profile, body, signals, scanIds };
  }
  const after = { etag: body?.etag ?? '', profileSequence: Math.max(profile?.sequence ?? 0, 0), values };
  return { store, update: profileUpdatedOf(scan, merge, after, categoryOf(deps)) };
}

function outcomeOf(update: ProfileUpdated | undefined): string {
  if (!update) return 'duplicate';
  return update.outcome === MergeOutcome.MERGED ? 'merged' : 'rejected';
}

const categoryOf =
  ({ technologies }: Pick<TestDependencies, 'technologies'>) =>
  (slug: string) =>
    technologies.find(slug)?.category ?? unlistedCategoryOf(slug);

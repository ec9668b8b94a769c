import { MergeOutcome, type TestScanCompleted } from '@shopscope/proto';
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
 * Merges a simulated scan into the store of its workspace, in one transaction with its event.
 *
 * - The scan was merged before -> nothing changes, and there is no event.
 * - A later scan was merged, or the stores were reset after the end of the scan -> nothing changes, and the event rejects the scan as
 *   `superseded`. A scan lasts longer than the clocks of two instances differ, so a scan that was requested after the reset is merged.
 * - Scans of a store are missing -> the scan is merged: what it sees depends only on its number.
 * - Scans of the domain find no store -> `invalid_request`. The event becomes a dead letter.
 */
export async function mergeTestScan(deps: TestDependencies, { event, origin }: CompletedTestScan): Promise<void> {
  const { domain, scanId, sequence } = event;
  const workspaceId = parseId('workspace_id', event.workspaceId, 'ws');
  const result = await recordIn(deps, (recordedAt) =>
    deps.transact(async (tx) => {
      const nowMs = deps.clock.now();
      const scan = { ...event, completedAtMs: notAfter(event.completedAtMs, nowMs) };
      const tenant = await deps.tenants.touch(workspaceId, { at: new Date(scan.completedAtMs), nowMs }, tx);
      const startedAtMs = tenant.startedAt.getTime();
      const observation = testObservation(scan, startedAtMs, deps.technologies.find);
      const found = await deps.stores.find(workspaceId, domain, tx);
      if (found?.scanIds.includes(scanId)) return 'duplicate';
      const before = found ?? pastStore(domain, pastEndMs(scan, startedAtMs), deps.technologies.find);
      const isOfBeforeReset = tenant.resetAt !== undefined && scan.completedAtMs <= tenant.resetAt.getTime();
      const merge = isOfBeforeReset
        ? { profile: null, shown: false, reason: superseded, signals: [] }
        : mergeObservation(before?.profile ?? null, observation);
      const profile = merge.profile ?? before?.profile;
      const body = profile && storeBody(profile, deps.siteUrl);
      const values = profile && storeValuesOf(profile);
      if (merge.profile && body && values) {
        const confirms = merge.signals.some(({ state }) => state === 'confirmed');
        const record = { values, recordedAt: confirms ? await recordedAt() : new Date(nowMs) };
        const signals = keepSignals(before?.signals ?? [], merge.signals, record).slice(-maxSignals);
        const scanIds = [...(found?.scanIds ?? []), scanId].slice(-maxScanIds);
        await deps.stores.save(workspaceId, { profile: merge.profile, body, signals, scanIds }, nowMs, tx);
      }
      const after = { etag: body?.etag ?? '', profileSequence: Math.max(profile?.sequence ?? 0, 0), values };
      const update = profileUpdatedOf(scan, merge, after, categoryOf(deps));
      await deps.appendEvents(tx, [{ event: { ...update, workspaceId }, meta: { ...origin, environment: 'test' } }]);
      return update.outcome === MergeOutcome.MERGED ? 'merged' : 'rejected';
    }),
  );
  deps.logger.info({ ...originFields(origin), scanId, domain, sequence, workspaceId }, `test observation ${result}`);
}

const categoryOf =
  ({ technologies }: Pick<TestDependencies, 'technologies'>) =>
  (slug: string) =>
    technologies.find(slug)?.category ?? unlistedCategoryOf(slug);

import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { Origin } from '@shopscope/telemetry';
import type { Place } from '../domain/fair-order.ts';
import type { Scan } from '../domain/scan.ts';
import { latest } from '../domain/schedule.ts';
import type { Dependencies } from './dependencies.ts';

export interface NewScan {
  domain: string;
  origin: Origin;
  /** The workspaces whose jobs wait for the scan. Empty for a background scan. */
  workspaceIds: string[];
  /** The number of attempts that the jobs of the scan have used. */
  attempts: number;
  /** The earliest start. The pause since the last visit of the domain may postpone it. */
  dueAt: Date;
  /** If undefined, the scan gets its place when it is due. */
  place?: Place | undefined;
}

/** Inserts live scans of domains. If a domain already has a live scan, it throws a duplicate-key error. */
export async function insertScans<const T extends readonly NewScan[]>(
  deps: Dependencies,
  tx: Tx,
  inputs: T,
): Promise<{ [I in keyof T]: Scan }> {
  const at = new Date(deps.clock.now());
  const notBefore = await deps.targets.notBefore(
    inputs.map(({ domain }) => domain),
    tx,
  );
  const scans = inputs.map(({ domain, origin, workspaceIds, attempts, dueAt: wantedAt, place = null }): Scan => {
    const dueAt = latest(wantedAt, notBefore.get(domain));
    return {
      id: newId('scan', at.getTime()),
      domain,
      workspaceIds,
      state: place && dueAt <= at ? 'ready' : 'waiting',
      outcome: null,
      sequence: 0,
      attempts,
      dueAt,
      place,
      lease: null,
      observedAt: null,
      origin,
      createdAt: at,
    };
  });
  await deps.scans.insert(scans, tx);
  return scans as { [I in keyof T]: Scan };
}

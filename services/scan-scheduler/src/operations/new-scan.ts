import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { Place } from '../domain/fair-order.ts';
import type { JobOrigin } from '../domain/job.ts';
import type { Scan } from '../domain/scan.ts';
import { latest } from '../domain/schedule.ts';
import type { Dependencies } from './dependencies.ts';

export interface NewScan {
  domain: string;
  origin: JobOrigin;
  /** Attempts that the jobs of the scan have used. */
  attempts: number;
  /** Earliest start. The pause since the last visit of the domain may postpone it. */
  dueAt: Date;
  /** Absent: the scan gets its place when it is due. */
  place?: Place;
}

/** Inserts the live scan of a domain. The domain already has a live scan -> duplicate-key error. */
export async function insertScan(deps: Dependencies, tx: Tx, input: NewScan): Promise<Scan> {
  const at = new Date(deps.clock.now());
  const scan: Scan = {
    id: newId('scan', at.getTime()),
    domain: input.domain,
    state: 'queued',
    sequence: 0,
    attempts: input.attempts,
    dueAt: latest(input.dueAt, await deps.targets.notBefore(input.domain, tx)),
    place: input.place ?? null,
    lease: null,
    observedAt: null,
    origin: input.origin,
    createdAt: at,
  };
  await deps.scans.insert(scan, tx);
  return scan;
}

import { newId } from '@shopscope/ids';
import type { Tx } from '@shopscope/mongo';
import type { JobOrigin } from '../domain/job.ts';
import type { Scan } from '../domain/scan.ts';
import { latest } from '../domain/schedule.ts';
import type { Dependencies } from './dependencies.ts';

export interface NewScan {
  domain: string;
  origin: JobOrigin;
  /** Attempts that its jobs have behind them. */
  attempts: number;
  /** Not due before, besides politeness. */
  dueAt: Date;
}

/** Inserts the domain's live scan. A duplicate key means that another one was first. */
export async function insertScan(deps: Dependencies, tx: Tx, input: NewScan): Promise<Scan> {
  const at = new Date(deps.clock.now());
  const scan: Scan = {
    id: newId('scan', at.getTime()),
    domain: input.domain,
    state: 'queued',
    sequence: 0,
    attempts: input.attempts,
    dueAt: latest(input.dueAt, await deps.targets.notBefore(input.domain, tx)),
    lease: null,
    observedAt: null,
    origin: input.origin,
    createdAt: at,
  };
  await deps.scans.insert(scan, tx);
  return scan;
}

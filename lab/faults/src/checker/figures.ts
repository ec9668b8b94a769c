import type { Customers } from '../clients/customers.ts';
import type { Attempt, Operation } from '../clients/history.ts';
import { mostAdmittedPerMinute, mostSentPerMinute } from './admission.ts';
import { exhaustedTimes } from './allowance.ts';
import type { Databases } from './databases.ts';
import { revocationTookMs } from './revocation.ts';
import { attemptsOf, recoveryTookMs, slowestReplyMs, type Timeline, touchedCount } from './timeline.ts';

/** Numbers that a run prints: how much load there was, how much the checker compared, and how close to its bounds the run came. */
export type Figures = Record<string, number>;

export interface FiguresOptions {
  operations: readonly Operation[];
  customers: Customers;
  timeline: Timeline;
  databases: Databases;
}

const isOk = ({ outcome }: Attempt) => outcome === 'ok';

export async function figuresOf(
  { operations, customers, timeline, databases }: FiguresOptions,
  { drainedMs }: { drainedMs: number },
): Promise<Figures> {
  const charges = await databases.charges(customers.main.workspaceId);
  const attempts = attemptsOf(operations);
  const outcomes = (wanted: string) => attempts.filter(({ outcome }) => outcome === wanted).length;
  const isRevoked = Number.isFinite(timeline.revokedMs);
  return {
    requests: attempts.length,
    ok: outcomes('ok'),
    unanswered: outcomes('unknown'),
    replayed: attempts.filter(({ replayed }) => replayed).length,
    'answered again': operations.filter(({ attempts: ofOperation }) => ofOperation.filter(isOk).length > 1).length,
    'touched by the fault': touchedCount(operations, timeline),
    'charges counted': charges.filter(({ counted }) => counted > 0).length,
    'history queries counted': charges.filter(({ units }) => units.historyQuery).length,
    jobs: new Set(attempts.flatMap(({ jobs }) => jobs.map(({ id }) => id))).size,
    'jobs canceled': new Set(attempts.flatMap(({ canceled }) => (canceled?.state === 'canceled' ? [canceled.id] : [])))
      .size,
    'units given back': (await databases.refunds(customers.main.workspaceId)).length,
    'slowest answer, s': slowestReplyMs(operations, timeline) / 1_000,
    'recovered after, s': recoveryTookMs(operations, timeline) / 1_000,
    'drained after, s': drainedMs / 1_000,
    'revoked key last accepted after, s': isRevoked ? revocationTookMs(operations, timeline) / 1_000 : 0,
    'load after revocation, s': isRevoked ? (timeline.endedMs - timeline.revokedMs) / 1_000 : 0,
    'most sent per minute': mostSentPerMinute(operations, timeline),
    'most admitted per minute': mostAdmittedPerMinute(operations),
    'allowance refused': exhaustedTimes(operations),
  };
}

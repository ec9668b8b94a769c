import type { Deadline } from '@shopscope/async';
import { isDuplicateKey, type Tx } from '@shopscope/mongo';
import { type Attempt, attemptOf } from '../domain/attempt.ts';
import { type Folded, foldSignals, type UsageSignal } from '../domain/fold.ts';
import { attemptKey } from '../domain/ledger-entry.ts';
import type { Dependencies } from './dependencies.ts';
import { type Recorded, recordSignals, writeFolded } from './record-signals.ts';

/**
 * The one way into the ledger: usage events from Kafka and from RecordUsage, voids, and reservations that the sweeper
 * gives back are all signals to attempts. In one transaction: read charges and entries, fold the signals, insert the
 * entries, change counters and allowances. Running it again, or elsewhere at the same time, changes nothing more,
 * because the entries' ids are unique; a commit of unknown outcome is therefore simply run again by the caller.
 *
 * Nearly always every event is the first word about its attempt, and its charge is on record. So the first try supposes
 * just that and reads nothing but the number of charges; the unique ids refute it when it is not so, and the second try
 * reads.
 */
export async function recordUsage(
  deps: Dependencies,
  signals: readonly UsageSignal[],
  deadline: Deadline,
): Promise<void> {
  if (signals.length === 0) return;
  const recorded = await record(deps, signals, deadline).catch((error: unknown) => {
    if (!(error instanceof Refuted) && !isDuplicateKey(error)) throw error;
    return deps.transact((tx) => recordSignals(deps, signals, tx), { deadline, retryDuplicateKeys: true });
  });
  report(deps, signals, recorded.folded, recorded.unknown);
}

function record(deps: Dependencies, signals: readonly UsageSignal[], deadline: Deadline): Promise<Recorded> {
  const isFirst = signals.every(({ signal }) => signal === 'count');
  if (isFirst) return deps.transact((tx) => recordFirst(deps, signals, tx), { deadline });
  return deps.transact((tx) => recordSignals(deps, signals, tx), { deadline, retryDuplicateKeys: true });
}

/** What was supposed is not so: the transaction is given up and begins again. */
class Refuted extends Error {}

/** Supposes that no attempt has an entry, which a duplicate key refutes, and that every charge has a record. */
async function recordFirst(deps: Dependencies, signals: readonly UsageSignal[], tx: Tx): Promise<Recorded> {
  const ids = new Set(signals.map(({ chargeId }) => chargeId));
  // Beside the transaction, to cost it no time: a record that is there stays there while its events are about.
  const onRecord = deps.charges.count([...ids], tx.maxTimeMS);
  onRecord.catch(() => {});
  const retried = signals.filter(({ attempt }) => attempt > 1);
  const records = deps.charges.find([...new Set(retried.map(({ chargeId }) => chargeId))], {
    maxTimeMS: tx.maxTimeMS,
  });
  records.catch(() => {});
  const attempts = new Map<string, Attempt>();
  for (const signal of signals) {
    const key = attemptKey(signal.chargeId, signal.attempt);
    // The event says what its reservation holds: it carries the units that were granted.
    if (!attempts.has(key)) attempts.set(key, attemptOf({ ...signal, number: signal.attempt }, [], signal.units));
  }
  const folded = foldSignals(signals, attempts, new Map(), deps.clock.now());
  await writeFolded(deps, folded, tx);
  if ((await onRecord) < ids.size) throw new Refuted();
  // A restored record may be behind its retries: the attempt that it holds has to end first.
  const known = await records;
  if (retried.some(({ chargeId, attempt }) => (known.get(chargeId)?.attempt ?? 0) < attempt)) throw new Refuted();
  return { folded, unknown: 0 };
}

function report(deps: Dependencies, signals: readonly UsageSignal[], folded: Folded, unknown: number): void {
  const { metrics, logger } = deps;
  const byKind = new Map<string, number>();
  for (const { kind } of folded.entries) byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  for (const [kind, count] of byKind) metrics.entries.inc({ kind }, count);
  metrics.duplicates.inc(Math.max(0, signals.length - folded.entries.length));
  metrics.unknown.inc(unknown);
  if (unknown > 0)
    logger.warn({ charges: unknown }, 'usage of charges that have no record was counted as the events say');
  const { counted, refused } = folded.late;
  metrics.late.inc({ outcome: 'counted' }, counted);
  metrics.late.inc({ outcome: 'refused' }, refused);
  if (counted + refused > 0) logger.error({ counted, refused }, 'usage came after its reservation was given back');
}

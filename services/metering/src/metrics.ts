import { Counter, Gauge, Histogram, type Registry } from '@shopscope/telemetry';

export type MeteringMetrics = ReturnType<typeof createMetrics>;

/** What a person on call looks at; README.md says what each means. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    reserved: new Counter({
      name: 'metering_reserve_total',
      help: 'Decided reservations by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    reserveBatch: new Histogram({
      name: 'metering_reserve_batch_items',
      help: 'Items decided in one transaction',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
      registers,
    }),
    entries: new Counter({
      name: 'metering_ledger_entries_total',
      help: 'Ledger entries written, by kind',
      labelNames: ['kind'],
      registers,
    }),
    duplicates: new Counter({
      name: 'metering_signals_without_effect_total',
      help: 'Duplicate events, and events of attempts that do not count',
      registers,
    }),
    late: new Counter({
      name: 'metering_late_usage_total',
      help: 'Usage events that came after their reservation was given back, counted or refused',
      labelNames: ['outcome'],
      registers,
    }),
    unknown: new Counter({
      name: 'metering_unknown_charges_total',
      help: 'Usage events or voids of charges that have no record here',
      registers,
    }),
    swept: new Counter({
      name: 'metering_swept_total',
      help: 'Expired reservations by what became of them: settled already, or given back',
      labelNames: ['outcome'],
      registers,
    }),
    sweepBlocked: new Gauge({
      name: 'metering_sweep_blocked',
      help: '1 while reservations may not be given back because the usage topic is not consumed far enough',
      registers,
    }),
    reconciled: new Counter({
      name: 'metering_reconciled_total',
      help: 'Workspace periods compared with the ledger',
      registers,
    }),
    reconcileBehind: new Gauge({
      name: 'metering_reconcile_behind_seconds',
      help: 'Age that a change may have which has not been compared with the ledger, as the last run left it',
      registers,
    }),
    repaired: new Counter({
      name: 'metering_reconcile_repairs_total',
      help: 'Counters that differed from ledger and reservations and were set right; expected to stay 0',
      labelNames: ['projection'],
      registers,
    }),
  };
}

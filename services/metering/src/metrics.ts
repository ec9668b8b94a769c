import { Counter, Gauge, Histogram, type Registry } from '@shopscope/telemetry';
import type { NeedsCatchUp, Reserved } from './domain/reserved.ts';

type Outcome = (Reserved | NeedsCatchUp)['outcome'];
/** The older names of outcomes in metric labels and log lines. They stay, because alerts and dashboards of operators use them. */
const olderNames: Partial<Record<Outcome, string>> = { needs_catch_up: 'doubtful', stale: 'outrun' };
export const outcomeLabel = (outcome: Outcome): string => olderNames[outcome] ?? outcome;

export type MeteringMetrics = ReturnType<typeof createMetrics>;

/** operating.md explains each metric for the person on call. */
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
      help: 'Duplicate usage events, and usage events of attempts that have ended',
      registers,
    }),
    late: new Counter({
      name: 'metering_late_usage_total',
      help: 'Usage events that arrived after the return of their reservation, counted or refused',
      labelNames: ['outcome'],
      registers,
    }),
    unknown: new Counter({
      name: 'metering_unknown_charges_total',
      help: 'Usage events and voids of charges without a record in this database',
      registers,
    }),
    swept: new Counter({
      name: 'metering_swept_total',
      help: 'Expired reservations: settled (had a ledger entry) or given_back (returned to the allowance)',
      labelNames: ['outcome'],
      registers,
    }),
    sweepBlocked: new Gauge({
      name: 'metering_sweep_blocked',
      help: '1 while expired reservations or ended leases wait because the usage topic is not consumed far enough',
      labelNames: ['work'],
      registers,
    }),
    leaseAsks: new Counter({
      name: 'metering_lease_asks_total',
      help: 'Calls about leases, by outcome: granted, direct (nothing lent), final (the gateway ended its lease) or failed',
      labelNames: ['outcome', 'unit'],
      registers,
    }),
    leasesOverdue: new Gauge({
      name: 'metering_leases_overdue_seconds',
      help: 'Time since the oldest lease that is not closed could have been marked as ended, in the latest round; 0 without one',
      registers,
    }),
    leasesClosed: new Counter({
      name: 'metering_leases_closed_total',
      help: 'Leases removed from their allowance: settled (every unit) or returned (some units went back)',
      labelNames: ['outcome', 'unit'],
      registers,
    }),
    leaseUnitsReturned: new Counter({
      name: 'metering_lease_units_returned_total',
      help: 'Units that went back to allowances when their lease was closed',
      labelNames: ['unit'],
      registers,
    }),
    refunds: new Counter({
      name: 'metering_refunds_total',
      help: 'Ended refunds: refunded, or without_charge (the canceled job was never billed)',
      labelNames: ['outcome'],
      registers,
    }),
    refundsOpen: new Gauge({
      name: 'metering_refunds_open',
      help: 'Refunds whose charge is not counted yet, in the latest run',
      registers,
    }),
    reconciled: new Counter({
      name: 'metering_reconciled_total',
      help: 'Periods of workspaces compared with the ledger',
      registers,
    }),
    reconcileBehind: new Gauge({
      name: 'metering_reconcile_behind_seconds',
      help: 'Highest possible age of a change that is not compared with the ledger, after the latest run',
      registers,
    }),
    repaired: new Counter({
      name: 'metering_reconcile_repairs_total',
      help: 'Counters, daily counters and allowances that differed from the ledger and were repaired; expected to stay 0',
      labelNames: ['projection'],
      registers,
    }),
  };
}

import { metricsOf, type Registry } from '@shopscope/telemetry';
import type { NeedsCatchUp, Reserved } from './domain/reserved.ts';

type Outcome = (Reserved | NeedsCatchUp)['outcome'];
/** The older names of outcomes in metric labels and log lines. They stay, because alerts and dashboards of operators use them. */
const olderNames: Partial<Record<Outcome, string>> = { needs_catch_up: 'doubtful', stale: 'outrun' };
export const outcomeLabel = (outcome: Outcome): string => olderNames[outcome] ?? outcome;

export type MeteringMetrics = ReturnType<typeof createMetrics>;

/** operating.md explains each metric for the person on call. */
export function createMetrics(registry: Registry) {
  const { counter, gauge, histogram } = metricsOf(registry);
  return {
    reserved: counter('metering_reserve_total', 'Decided reservations by outcome', ['outcome']),
    reserveBatch: histogram(
      'metering_reserve_batch_items',
      'Items decided in one transaction',
      [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
    ),
    entries: counter('metering_ledger_entries_total', 'Ledger entries written, by kind', ['kind']),
    duplicates: counter(
      'metering_signals_without_effect_total',
      'Duplicate usage events, and usage events of attempts that have ended',
    ),
    late: counter(
      'metering_late_usage_total',
      'Usage events that arrived after the return of their reservation, counted or refused',
      ['outcome'],
    ),
    unknown: counter(
      'metering_unknown_charges_total',
      'Usage events and voids of charges without a record in this database',
    ),
    swept: counter(
      'metering_swept_total',
      'Expired reservations: settled (had a ledger entry) or given_back (returned to the allowance)',
      ['outcome'],
    ),
    sweepBlocked: gauge(
      'metering_sweep_blocked',
      '1 while expired reservations or ended leases wait because the usage topic is not consumed far enough',
      ['work'],
    ),
    leaseAsks: counter(
      'metering_lease_asks_total',
      'Calls about leases, by outcome: granted, direct (nothing lent), final (the gateway ended its lease) or failed',
      ['outcome', 'unit'],
    ),
    leasesOverdue: gauge(
      'metering_leases_overdue_seconds',
      'How long the oldest unclosed lease has been overdue (since the earliest time to mark it as ended) in the latest round; 0 without one',
    ),
    leasesClosed: counter(
      'metering_leases_closed_total',
      'Leases removed from their allowance: settled (every unit) or returned (some units went back)',
      ['outcome', 'unit'],
    ),
    leaseUnitsReturned: counter(
      'metering_lease_units_returned_total',
      'Units that went back to allowances when their lease was closed',
      ['unit'],
    ),
    refunds: counter(
      'metering_refunds_total',
      'Ended refunds: refunded, or without_charge (the canceled job was never billed)',
      ['outcome'],
    ),
    refundsOpen: gauge('metering_refunds_open', 'Refunds whose charge is not counted yet, in the latest run'),
    reconciled: counter('metering_reconciled_total', 'Periods of workspaces compared with the ledger'),
    reconcileBehind: gauge(
      'metering_reconcile_behind_seconds',
      'Highest possible age of a change that is not compared with the ledger, after the latest run',
    ),
    repaired: counter(
      'metering_reconcile_repairs_total',
      'Counters, daily counters and allowances that differed from the ledger and were repaired; expected to stay 0',
      ['projection'],
    ),
  };
}

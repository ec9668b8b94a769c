import { invalidField } from '@shopscope/errors';
import { isIdentifier } from '@shopscope/ids';
import {
  type LeaseAsk as LeaseAskMessage,
  leasableUnits,
  leasedOf,
  type ReserveItem as ReserveItemMessage,
  type UnitKey,
  type Units,
  type UnitsLeft,
  UsageKind,
  type UsageRecorded,
  unitKeys,
  unitNames,
  unitsOf,
} from '@shopscope/proto';
import type { ReserveItem } from '../domain/charge.ts';
import type { UsageEvent } from '../domain/fold.ts';
import type { LeaseAsk } from '../domain/lease.ts';
import { isPeriodStart } from '../domain/period.ts';
import { isAmount } from '../domain/units.ts';

/** Decodes messages of RPCs and topics for the operations. Throws `invalid_request` with the name of an invalid field. */
export function identifier(field: string, value: string): string {
  if (!isIdentifier(value)) throw invalidField(field, 'must be an identifier');
  return value;
}

export function periodStart(field: string, value: number): number {
  if (!isPeriodStart(value)) throw invalidField(field, 'must be the start of a UTC month');
  return value;
}

export function attemptNumber(value: number): number {
  if (!(value >= 1)) throw invalidField('attempt', 'counts from 1');
  return value;
}

export function units(field: string, value: Units | undefined): Units {
  const amounts = unitsOf(value);
  if (!isAmount(amounts)) throw invalidField(field, 'must be whole and not negative');
  return amounts;
}

export function reserveItem(item: ReserveItemMessage): ReserveItem {
  return {
    chargeId: identifier('charge_id', item.chargeId),
    workspaceId: identifier('workspace_id', item.workspaceId),
    keyId: identifier('key_id', item.keyId),
    fingerprint: Buffer.from(item.fingerprint).toString('base64'),
    executionId: item.executionId === '' ? '' : identifier('execution_id', item.executionId),
    units: units('units', item.units),
    included: units('included', item.included),
    ...(item.isPermanent && { isPermanent: true }),
    requestId: item.requestId,
  };
}

const leasableNames = leasableUnits.map((unit) => unitNames[unit]).join(', ');

/** Returns the lease that pays for a charge, or '' for a charge that Reserve granted. */
export function leaseOf(charge: {
  leaseId?: string | undefined;
  chargeId: string;
  attempt: number;
  units: Units | undefined;
}): string {
  if (charge.leaseId === undefined) return '';
  const leaseId = identifier('lease_id', charge.leaseId);
  if (!charge.chargeId.startsWith(`${leaseId}-`)) throw invalidField('charge_id', 'must begin with the lease id');
  if (charge.attempt !== 1) throw invalidField('attempt', 'must be 1 for a charge of a lease');
  if (!leasedOf(units('units', charge.units))) {
    throw invalidField('units', `must be one of ${leasableNames} alone for a charge of a lease`);
  }
  return leaseId;
}

export function leaseAsk(ask: LeaseAskMessage): LeaseAsk & { included: Units } {
  const { callNumber: call, wanted, spent, periodStartMs } = ask;
  if (call < 1) throw invalidField('call_number', 'counts from 1');
  if (!isCount(spent)) throw invalidField('spent', 'must be whole and not negative');
  if (!isCount(wanted) || wanted < spent) throw invalidField('wanted', 'must be whole and at least `spent`');
  const unit = leasableUnits.find((key) => unitNames[key] === ask.unit);
  if (!unit) throw invalidField('unit', `must be one of ${leasableNames}`);
  if (call > 1 && periodStartMs === 0) throw invalidField('period_start_ms', 'is required after the first call');
  return {
    workspaceId: identifier('workspace_id', ask.workspaceId),
    leaseId: identifier('lease_id', ask.leaseId),
    unit,
    call,
    wanted,
    spent,
    sentAtMs: instant('sent_at_ms', ask.sentAtMs),
    isFinal: ask.final,
    included: units('included', ask.included),
    periodStartMs: periodStartMs === 0 ? 0 : periodStart('period_start_ms', periodStartMs),
  };
}

const isCount = (value: number) => Number.isInteger(value) && value >= 0 && value <= 1e12;

function instant(field: string, value: number): number {
  if (!(Number.isInteger(value) && value > 0 && value < 8.64e15)) throw invalidField(field, 'must be an instant in ms');
  return value;
}

/** Returns what is left of each named unit. It is at most what is included. */
export function leftUnits(entries: readonly UnitsLeft[], included: Units): Map<UnitKey, number> {
  const left = new Map<UnitKey, number>();
  for (const { unit: name, left: amount } of entries) {
    const unit = unitKeys.find((key) => unitNames[key] === name);
    if (!unit) throw invalidField('unit', `must be one of ${unitKeys.map((key) => unitNames[key]).join(', ')}`);
    if (left.has(unit)) throw invalidField(name, 'is named twice');
    if (!isCount(amount)) throw invalidField(name, 'must be whole and not negative');
    if (amount > included[unit]) throw invalidField(name, `must be at most the ${included[unit]} units of the plan`);
    left.set(unit, amount);
  }
  return left;
}

export function usageEvent(event: UsageRecorded): UsageEvent {
  const isCharge = event.kind === UsageKind.CHARGE;
  if (!isCharge && event.kind !== UsageKind.VOID) throw invalidField('kind', 'must be a charge or a void');
  return {
    kind: isCharge ? 'count' : 'void',
    chargeId: identifier('charge_id', event.chargeId),
    attempt: attemptNumber(event.attempt),
    workspaceId: identifier('workspace_id', event.workspaceId),
    keyId: identifier('key_id', event.keyId),
    units: units('units', event.units),
    periodStartMs: periodStart('period_start_ms', event.periodStartMs),
    operation: event.operation.slice(0, 100),
    occurredAtMs: event.occurredAtMs,
    leaseId: leaseOf(event),
  };
}

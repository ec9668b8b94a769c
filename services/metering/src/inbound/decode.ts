import { invalidField } from '@shopscope/errors';
import {
  type ReserveItem as ReserveItemMessage,
  type Units as UnitsMessage,
  UsageKind,
  type UsageRecorded,
} from '@shopscope/proto';
import type { ReserveItem } from '../domain/charge.ts';
import type { UsageEvent } from '../domain/fold.ts';
import { isPeriodStart } from '../domain/period.ts';
import { isAmount, type Units, unitsOf } from '../domain/units.ts';

/** Decodes messages of calls and topics for the operations. An invalid field -> `invalid_request` that names the field. */
const idPattern = /^[\w-]{1,100}$/;

export function identifier(field: string, value: string): string {
  if (!idPattern.test(value)) throw invalidField(field, 'must be an identifier');
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

export function units(field: string, value: UnitsMessage | undefined): Units {
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
    requestId: item.origin?.requestId ?? '',
  };
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
  };
}

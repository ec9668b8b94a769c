/**
 * What the clients saw, and nothing that the services say of themselves: the checker compares it with what stands in the
 * databases. Instants are ms on this process's monotonic clock.
 */
export interface Units {
  lookupCached: number;
  lookupLive: number;
}

/** `waiting`: under the revoked key, at the door of a gateway that stands still. */
export type OperationKind =
  | 'look-up'
  | 'enrich'
  | 'refresh'
  | 'account'
  | 'limited'
  | 'tight'
  | 'revoked'
  | 'waiting'
  | 'narrow';

export interface Operation {
  id: number;
  kind: OperationKind;
  workspaceId: string;
  keyId: string;
  /** Only operations that carry one are retried. */
  idempotencyKey: string | null;
  /** What it would bill if it were carried out and never answered. */
  mayBill: Units;
  attempts: Attempt[];
}

export interface Attempt {
  gateway: number;
  startMs: number;
  endMs: number;
  /** `refused`: no connection, so nothing was asked. `unknown`: asked, and no whole answer came. */
  outcome: 'ok' | 'fail' | 'refused' | 'unknown';
  status: number;
  /** Code of the error. */
  code: string;
  billed: Units;
  jobs: { id: string; domain: string }[];
  replayed: boolean;
}

export const noUnits: Units = { lookupCached: 0, lookupLive: 0 };

/** What the operation came to: the first 2xx, else its last answer. */
export function resultOf({ attempts }: Operation): Attempt | undefined {
  return attempts.find(({ outcome }) => outcome === 'ok') ?? attempts.at(-1);
}

/** True when an attempt went unanswered and none was answered with success. */
export function isUnknown(operation: Operation): boolean {
  return (
    !operation.attempts.some(({ outcome }) => outcome === 'ok') &&
    operation.attempts.some(({ outcome }) => outcome === 'unknown')
  );
}

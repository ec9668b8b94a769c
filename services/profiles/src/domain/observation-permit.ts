import type { PermitFault, PermitPrincipal, VerifyPermit } from '@shopscope/ids';

/**
 * Decides whether an observation may be merged: scan-scheduler must have permitted its scan, domain and sequence, and the
 * broker must have stored it before the permit expired (decision 41).
 */

/** The claims of the Kafka record of an observation. */
export interface ObservationRecord {
  scanId: string;
  domain: string;
  sequence: number;
  /** It is '' if the observation has no permit. */
  permit: string;
  /** The key of the record. It determines the partition, and therefore the order of the observations of a domain. */
  key: string;
  /** When the broker stored the record. It is undefined if the topic uses the time of the publisher. */
  appendedAtMs: number | undefined;
}

export type PermitRefusal = 'unsigned' | PermitFault | 'record_key' | 'no_append_time' | 'expired';

export type PermitDecision = { by: PermitPrincipal } | { refusal: PermitRefusal };

export async function decidePermit(verify: VerifyPermit, record: ObservationRecord): Promise<PermitDecision> {
  if (record.permit === '') return { refusal: 'unsigned' };
  const verified = await verify(record.permit, record);
  if ('fault' in verified) return { refusal: verified.fault };
  if (record.key !== record.domain) return { refusal: 'record_key' };
  if (record.appendedAtMs === undefined) return { refusal: 'no_append_time' };
  return record.appendedAtMs <= verified.expiresAtMs ? { by: verified.principal } : { refusal: 'expired' };
}

const sentences: Record<PermitRefusal, string> = {
  unsigned: 'the observation has no permit',
  malformed: 'the permit is malformed',
  unknown_key: 'the key of the permit is not known',
  mismatch: 'the permit is not for this scan, domain and sequence, or was not signed with the key that it names',
  record_key: 'the key of the record is not the domain',
  no_append_time: 'the topic does not have the time of the broker (message.timestamp.type)',
  expired: 'the permit had expired when the broker stored the observation',
};

/** Returns the reason of the dead letter. Replay recognises the reason by its beginning. */
export const refusalReason = (refusal: PermitRefusal): string => `permit refused: ${refusal}: ${sentences[refusal]}`;

import * as proto from '@shopscope/proto';
import type { Member, Outcome, StoreResult } from '../../domain/member.ts';
import type { StoreGroup } from '../../domain/store-group.ts';

export const encodeList = ({ id, name, storeCount, createdAt, updatedAt }: StoreGroup): proto.List => ({
  id,
  name,
  storeCount,
  createdAtMs: createdAt.getTime(),
  updatedAtMs: updatedAt.getTime(),
});

export const encodeMember = ({ domain, externalId, addedAt }: Member): proto.MemberStore => ({
  domain,
  externalId: externalId ?? undefined,
  addedAtMs: addedAt.getTime(),
});

const outcomes: Record<Outcome, proto.StoreOutcome> = {
  added: proto.StoreOutcome.ADDED,
  present: proto.StoreOutcome.PRESENT,
  removed: proto.StoreOutcome.REMOVED,
  absent: proto.StoreOutcome.ABSENT,
  invalid_domain: proto.StoreOutcome.INVALID_DOMAIN,
};

export const encodeResult = ({ domain, outcome }: StoreResult): proto.StoreResult => ({
  domain,
  outcome: outcomes[outcome],
});

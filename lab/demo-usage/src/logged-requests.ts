import { deriveId } from '@shopscope/ids';
import type { CompletedRequest, RequestsCompleted, UsageRecorded } from '@shopscope/proto';
import { createRandom, type DemoKey } from './plan-day.ts';

/** The maximum number of requests in an event, as in the events of a gateway. */
const maxPerEvent = 200;

/** Returns the requests of billed charges for the request log. Their ids are derived, so a repeated run logs nothing twice. */
export function loggedRequestsOf(events: readonly UsageRecorded[], keys: readonly DemoKey[]): RequestsCompleted[] {
  const prefixes = new Map(keys.map(({ keyId, prefix }) => [keyId, prefix]));
  const requests = events.map((event) => requestOf(event, prefixes.get(event.keyId) ?? ''));
  const { workspaceId } = events[0] ?? {};
  const portions = Array.from({ length: Math.ceil(requests.length / maxPerEvent) }, (_, n) =>
    requests.slice(n * maxPerEvent, (n + 1) * maxPerEvent),
  );
  return workspaceId === undefined ? [] : portions.map((each) => ({ workspaceId, requests: each }));
}

function requestOf(
  { chargeId, keyId, occurredAtMs, operation, units }: UsageRecorded,
  prefix: string,
): CompletedRequest {
  const random = createRandom(chargeId);
  const isEnrich = operation === 'enrichStores';
  const found = units?.lookupCached ?? 0;
  const store = Math.floor(random.within(1, 1_000));
  const domains = isEnrich ? Math.min(100, found + Math.floor(random.within(0, 4))) : 1;
  const path = isEnrich ? '/v1/stores/enrich' : `/v1/stores/store-${store}.example`;
  const durationUs = Math.round((isEnrich ? 4_000 + 300 * domains : 2_500) * random.within(0.7, 3));
  return {
    id: '',
    requestId: deriveId('req', chargeId),
    keyId,
    keyPrefix: prefix,
    startedAtMs: occurredAtMs - Math.ceil(durationUs / 1_000),
    operation,
    method: isEnrich ? 'POST' : 'GET',
    pathTemplate: isEnrich ? path : '/v1/stores/{domain}',
    path,
    query: '',
    status: 200,
    errorCode: '',
    durationUs,
    units,
    domains,
    hasIdempotencyKey: isEnrich,
    replayed: false,
    billedBefore: false,
    environment: 'live',
  };
}

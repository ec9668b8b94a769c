import { type Environment, environments } from '@shopscope/environment';
import { type EventConsumer, PoisonError, type Received } from '@shopscope/kafka';
import { type RequestsCompleted, requestsCompleted } from '@shopscope/proto';
import { type ConsumerParts, consumeInGroup } from '../../app/inbound/consume-in-group.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { record } from '../operations/request-log.ts';

/** A separate consumer group: the request log is the largest topic, and key activity must not wait for it. */
const groupId = 'dashboard-requests';

export function consumeRequests(deps: Dependencies, parts: ConsumerParts): Promise<EventConsumer> {
  return consumeInGroup<RequestsCompleted>(parts, {
    groupId,
    subscriptions: environments.map((environment) => ({
      type: requestsCompleted[environment],
      handle: (received) =>
        record(
          deps,
          environment,
          received.map((each) => checked(environment, each)),
        ),
    })),
  });
}

const idPattern = /^[\w.:-]{1,200}$/;
const requestIdPattern = /^[\w-]{8,64}$/;
const maxRequests = 1_000;
/** Gateways send much shorter texts. */
const maxText = 2_000;

function checked(own: Environment, { event }: Received<RequestsCompleted>): RequestsCompleted {
  const { workspaceId, requests } = event;
  if (!idPattern.test(workspaceId)) throw new PoisonError('workspace_id is invalid');
  if (requests.length > maxRequests) throw new PoisonError(`the event has ${requests.length} requests`);
  for (const { id, requestId, keyId, environment, startedAtMs } of requests) {
    if (id !== '' && !requestIdPattern.test(id)) throw new PoisonError('the id of a request is invalid');
    if (!requestIdPattern.test(requestId)) throw new PoisonError('a request_id is invalid');
    if (!idPattern.test(keyId)) throw new PoisonError('a key_id is invalid');
    if (environment !== own) throw new PoisonError('a request is of another environment');
    // A later instant is not a valid date.
    if (!(startedAtMs > 0 && startedAtMs < 8.64e15)) throw new PoisonError('a started_at_ms is invalid');
  }
  // The other requests of the event must not be lost because of one long text.
  return {
    ...event,
    requests: requests.map((request) => ({
      ...request,
      path: request.path.slice(0, maxText),
      query: request.query.slice(0, maxText),
      method: request.method.slice(0, maxText),
    })),
  };
}

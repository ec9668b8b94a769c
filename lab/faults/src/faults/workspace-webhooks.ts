import { createGrpcClient } from '@shopscope/grpc';
import { EndpointState, ReplayScope, UpdateEndpointRequest, WebhooksServiceService } from '@shopscope/proto';
import { recoveryBoundMs } from '../checker/timeline.ts';
import { createApiClient } from '../clients/api-client.ts';
import { createStoresCustomer } from '../clients/customers.ts';
import { type ReceiverFault, startWebhookReceiver } from '../system/webhook-receiver.ts';
import { poll, sleep } from '../wait.ts';
import type { FaultContext } from './scenario.ts';

const eventTypes = ['watchlist.paused', 'watchlist.resumed'];
const eventEveryMs = 100;
/** An interrupted attempt is due again after its lease of 60 s. */
const deliveredBoundMs = 150_000;
const origin = { requestId: 'req_of_the_fault_bench', traceparent: '', environment: 'live' as const };
/**
 * Two workspaces whose watchlists are paused and resumed all the time, each with a healthy endpoint. The first one also has an endpoint whose
 * receiver may fail. After the fault:
 *
 * - each event in the sequence of a workspace has reached its healthy endpoint, without a replay;
 * - after a replay, each has also reached the endpoint that failed;
 * - no endpoint has a message of another workspace.
 */
export async function receiveEvents(context: FaultContext) {
  const { system, recordProblem, recordFigure } = context;
  const startMs = Date.now();
  const receiver = await startWebhookReceiver();
  const webhooks = createGrpcClient({ definition: WebhooksServiceService, address: system.direct.webhooks });
  const createEndpoint = async (workspaceId: string, path: string) => {
    const none = { description: '', watchlistIds: [], filters: undefined, maxPerMinute: undefined, headers: [] };
    const members = { url: receiver.urlOf(path), eventTypes, ...none };
    const created = await webhooks.createEndpoint({ workspaceId, members, quota: 10, requestToken: '' }, { origin });
    return { workspaceId, endpointId: created.endpoint?.id ?? '', path };
  };
  const createWorkspace = async () => {
    const customer = await createStoresCustomer(system.direct.keys);
    const api = createApiClient(system.gateways[0]?.url ?? '', customer);
    const { id } = await api.sendSuccessfully('POST', '/v1/watchlists', { name: 'Faults' });
    const healthy = await createEndpoint(customer.workspaceId, `/${customer.workspaceId}/healthy`);
    return { api, watchlistPath: `/v1/watchlists/${id}`, healthy };
  };
  const workspaces = [await createWorkspace(), await createWorkspace()] as const;
  const [first] = workspaces;
  const { workspaceId } = first.healthy;
  const failing = await createEndpoint(workspaceId, `/${workspaceId}/failing`);

  let isOver = false;
  const makeEvents = async ({ api, watchlistPath }: typeof first) => {
    for (let n = 0; !isOver; n++) {
      await api.send('PATCH', watchlistPath, { state: n % 2 === 0 ? 'paused' : 'active' });
      await sleep(eventEveryMs);
    }
  };
  const running = Promise.all(workspaces.map(makeEvents));

  const replay = async () => {
    const { endpointId } = failing;
    const activation = UpdateEndpointRequest.fromPartial({ workspaceId, endpointId, state: EndpointState.ACTIVE });
    await webhooks.updateEndpoint(activation, { origin });
    const span = { fromMs: startMs, toMs: Date.now() };
    const request = { workspaceId, endpointId, ...span, scope: ReplayScope.ALL, eventTypes, requestToken: '' };
    return (await webhooks.replay(request, { origin })).job;
  };
  const requireMessages = async ({ api }: typeof first, path: string) => {
    let problem = 'the events were not read';
    const areComplete = async () => {
      const events = (await api.readEvents()).filter(({ type }) => eventTypes.includes(type));
      const accepted = receiver.acceptedOf(path);
      const missing = events.filter(({ id }) => !accepted.has(id));
      recordFigure('webhook events', events.length);
      problem = `${missing.length} of ${events.length} events have not reached ${path}`;
      return missing.length === 0 ? events : undefined;
    };
    const once = () => areComplete().catch(() => undefined);
    const events = await poll(once, { timeoutMs: deliveredBoundMs, everyMs: 1_000 });
    if (!events) return recordProblem(problem);
    const own = new Set(events.map(({ id }) => id));
    const strange = [...receiver.acceptedOf(path)].filter((id) => !own.has(id));
    if (strange.length > 0) recordProblem(`${path} has ${strange.length} messages that are not of its workspace`);
  };

  return {
    failReceiver: (fault: ReceiverFault) => receiver.setFault(failing.path, fault),

    /** Waits until attempts are being made. Resolves to their number. */
    async untilInProgress(): Promise<number> {
      const inProgress = async () => receiver.open() || undefined;
      return (await poll(inProgress, { timeoutMs: recoveryBoundMs, everyMs: 5 })) ?? 0;
    },

    /** Ends the work after the fault, and compares the messages with the events. */
    async finish(): Promise<void> {
      isOver = true;
      await running;
      receiver.endFaults();
      for (const workspace of workspaces) await requireMessages(workspace, workspace.healthy.path);
      const job = await poll(() => replay().catch(() => undefined), { timeoutMs: recoveryBoundMs, everyMs: 200 });
      if (!job) recordProblem('a replay was not started');
      await requireMessages(first, failing.path);
      recordFigure('webhook messages', receiver.messages());
      webhooks.close();
      await receiver.stop();
    },
  };
}

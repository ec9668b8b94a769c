import { jsonReply, type Reply } from '../../http/reply/reply.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { storeParams } from '../get-store/contract.ts';
import { storeExample } from '../get-store/examples.ts';
import {
  exampleCursor,
  exampleHistorySignal,
  exampleTime,
  history,
  historyQuery,
  signalPage,
  signalQuery,
} from './contract.ts';
import { billPage, readHistory, type SignalPage, searchPage } from './query-signals.ts';

const shared = {
  method: 'GET',
  tag: 'Signals',
  access: 'key',
  scope: 'read:signals',
  billing: {
    units: ['history_query'],
    when: 'One history_query per page with at least one row; empty pages and 404 are free. An empty page, too, needs one that is left, else 402',
  },
} as const;
const retracted =
  'A signal that the next full scan refuted is left out; include=retracted shows it with retracted_at, and retracted_from and ' +
  'retracted_to select such signals.';
const shortPages =
  'A page examines at most 10,000 signals for the filters, so it can have fewer rows than limit, also none: follow next_cursor ' +
  'until it is null.';

export const getStoreHistory = defineEndpoint({
  ...shared,
  id: 'getStoreHistory',
  path: '/v1/stores/{domain}/history',
  summary: 'Confirmed signals of one store, newest first',
  description:
    'Only confirmed changes: a removal is confirmed by two successive full observations without the technology, at least six hours apart. ' +
    `${retracted} The plan reaches plan.limits.history_days of effective_at back. ${shortPages}`,
  params: storeParams,
  lookedUp: ({ params }) => [params.domain as string],
  query: historyQuery,
  success: {
    status: 200,
    description: 'Signals within the window that the plan reaches.',
    schema: history,
    example: {
      domain: 'shop.example',
      observation: storeExample.observation,
      window: { from: '2025-10-17T12:00:00.000Z', to: exampleTime, truncated_by_plan: true },
      data: [exampleHistorySignal],
      next_cursor: null,
    },
    headers: ['Cache-Control'],
  },
  errors: ['not_found', 'payment_required'],
  begin: (request, deps) => readHistory(deps, request, { ...request.query, input: request.params.domain }),
  handle: async (request, deps, begun) => replyOf(await billPage(deps, request, await begun)),
});

export const searchSignals = defineEndpoint({
  ...shared,
  id: 'searchSignals',
  path: '/v1/signals',
  summary: 'Confirmed signals across stores, newest confirmed_at first',
  description:
    `${retracted} Platform, country and industry are those of the store when the signal was confirmed. The plan reaches ` +
    'plan.limits.history_days of confirmed_at back. A value that does not exist is 400 and named. order=asc has what was recorded until the ' +
    'first page by ascending confirmed_at, then what is recorded later, at least 10 s after it: following next_cursor skips nothing. ' +
    `${shortPages.replace('null', 'null, with order=asc until has_more is false')} With list_id it examines at most 100,000.`,
  queryScopes: (query) => (query.has('list_id') ? [{ scope: 'read:watchlists', reason: 'list_id' }] : []),
  query: signalQuery,
  success: {
    status: 200,
    description: 'A page of signals. Those confirmed after the first page are not on later ones.',
    schema: signalPage,
    example: {
      data: [{ ...exampleHistorySignal, domain: 'shop.example', storefront_id: storeExample.storefront_id }],
      next_cursor: exampleCursor,
      has_more: true,
    },
    headers: ['Cache-Control'],
  },
  errors: ['not_found_list', 'payment_required'],
  handle: async (request, deps) =>
    replyOf(await billPage(deps, request, await searchPage(deps, request, request.query))),
});

function replyOf({ body, remaining }: SignalPage & { remaining: number | undefined }): Reply {
  return { ...jsonReply(200, body), usageRemaining: remaining };
}

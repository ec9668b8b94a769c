import { type ComponentProps, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, it } from 'vitest';
import { hiddenIn } from '../../../test/integration/support/html.ts';
import EnrichListPage from './list-enrich.tsx';

const quote = (lookup_cached: number, lookup_live: number) => ({
  matched: 0,
  stale: 0,
  unknown: 0,
  quote: { lookup_cached, lookup_live, history_query: 0, refresh_requested: 0 },
});
const loaderData = {
  list: { id: 'lst_1', name: 'Prospects' },
  quotes: { cached: quote(7, 0), refresh: quote(7, 2) },
  allowance: { left: undefined, endMs: 0 },
  base: '/lists',
  token: 'new-token',
};
const sent = { token: 'sent-token', mode: 'refresh', max_cached: '5', max_refresh: '6' };

function formAfter(status: number) {
  const actionData = { problem: { status, message: 'It failed.' }, values: sent };
  const props = { loaderData, actionData } as unknown as ComponentProps<typeof EnrichListPage>;
  const Stub = createRoutesStub([{ path: '/', Component: () => createElement(EnrichListPage, props) }]);
  return Object.fromEntries(hiddenIn(renderToString(createElement(Stub))));
}

it.each([409, 429, 500, 503])(
  'the form of an enrichment keeps its token and its bounds after %i, because its job may have started',
  (status) => {
    const { token, max_cached, max_refresh } = sent;
    expect(formAfter(status)).toEqual({ token, max_cached, max_refresh });
  },
);

it.each([400, 402, 404])('the form of an enrichment has a new token and the new price after %i', (status) => {
  expect(formAfter(status)).toEqual({ token: 'new-token', max_cached: '7', max_refresh: '9' });
});

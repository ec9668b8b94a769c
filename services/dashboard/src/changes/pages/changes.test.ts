import { type ComponentProps, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, it } from 'vitest';
import { textOf } from '../../../test/integration/support/html.ts';
import ChangesPage from './changes.tsx';

function shown(page: object) {
  const filter = { group: 'jobs', watchlistId: '' };
  const loaded = { page: { changes: [], nowMs: 0, ...page }, base: '/workspaces/ws_1', watchlists: {}, filter };
  const props = { loaderData: { ...loaded, isOff: false, isAdmin: true } } as unknown;
  const element = () => createElement(ChangesPage, props as ComponentProps<typeof ChangesPage>);
  return textOf(renderToString(createElement(createRoutesStub([{ path: '/', Component: element }]))));
}

it('a filter that matches none of the latest events says that earlier ones may match, and names no number of changes', () => {
  const page = shown({ hasEarlier: true, isWatchlistGone: false });
  expect(page).toContain('Earlier events may match.');
  expect(page).not.toMatch(/the latest 0|does not exist any more/);
});

it('a filter by a deleted watchlist says that it was dropped', () => {
  const page = shown({ hasEarlier: false, isWatchlistGone: true });
  expect(page).toContain('The watchlist of this filter does not exist any more');
});

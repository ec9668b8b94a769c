import { load, type PageContext, workspaceVisit } from '../../app/pages/server.ts';
import { loadAllowance } from '../../usage/pages.ts';

/** Reads what the page shows of the history of a store; undefined if the URL names no store. Nothing is billed. */
export async function loadHistory(context: PageContext, search: URLSearchParams) {
  const text = search.get('store') ?? '';
  if (text === '') return undefined;
  const visit = workspaceVisit(context);
  const view = await load(context, ({ storeHistories }) =>
    storeHistories.view(visit, text, search.get('history') ?? ''),
  );
  // A form that is sent again has the same token, so it bills nothing again.
  return view && { ...view, allowance: await loadAllowance(context), token: crypto.randomUUID() };
}

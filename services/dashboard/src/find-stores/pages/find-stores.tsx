import { data, redirect } from 'react-router';
import { FormNotice } from '../../app/components/form.tsx';
import { Page } from '../../app/components/page.tsx';
import { submit, workspaceVisit } from '../../app/pages/server.ts';
import { StoresOff } from '../../keys/pages.ts';
import { filterOf } from '../domain/store-filter.ts';
import type { Route } from './+types/find-stores';
import { CopyRequest } from './copy-request.tsx';
import { CountResult } from './count-result.tsx';
import { ExportForm } from './export-form.tsx';
import { FilterForm } from './filter-form.tsx';
import { FoundRows } from './found-rows.tsx';
import { loadFind, withoutEmpty } from './load-find.ts';
import { loadShown, type ShownBefore, shownBefore } from './load-shown.ts';
import { RowsForm } from './rows-form.tsx';
import type { Shown } from './shown.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Find stores · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const url = new URL(request.url);
  // Without script, a form also sends its empty fields.
  const filled = withoutEmpty(url);
  if (filled !== undefined && request.method === 'GET') throw redirect(url.pathname.replace(/\.data$/, '') + filled);
  return { ...(await loadFind(context, url.searchParams)), base: `/workspaces/${params.workspaceId}` };
}

/** Reads rows, counts, exports, or saves rows as a list. The query is in the URL. The answer has what the page showed before, too. */
export async function action(args: Route.ActionArgs) {
  const { context, params, request } = args;
  const filter = filterOf(new URL(request.url).searchParams);
  let before: ShownBefore | undefined;
  const answer = await submit(args, async (form, { findStores, storeCounts }): Promise<Shown> => {
    before = shownBefore(form);
    const visit = workspaceVisit(context);
    const base = `/workspaces/${params.workspaceId}`;
    const token = form.text('token');
    switch (form.text('intent')) {
      case 'count':
        return { counted: { token, count: await storeCounts.countByApi(visit, filter, token) } };
      case 'rows': {
        const sent = { token, limit: form.text('limit'), cursor: form.text('cursor') };
        const page = await findStores.rows(visit, filter, { ...sent, limit: Number(sent.limit) });
        return { found: { ...sent, page, columns: form.texts('columns') } };
      }
      case 'export': {
        const sent = { token, file: form.text('file'), rows: Number(form.text('rows')) };
        throw redirect(`${base}/jobs/${await findStores.startExport(visit, filter, sent)}`);
      }
      case 'save': {
        const saved = { name: form.text('name'), domains: form.text('domains').split(' '), token };
        throw redirect(`${base}/lists/${await findStores.save(visit, saved)}`);
      }
      default:
        throw data({}, { status: 404 });
    }
  });
  const isFailed = 'data' in answer;
  const shown: Shown = before ? await loadShown(context, filter, before, isFailed ? {} : answer) : {};
  return isFailed ? data({ ...shown, failed: answer.data }, answer.init ?? undefined) : { ...shown, failed: undefined };
}

const reasons = {
  changes: 'The query reads confirmed changes. Counting it bills 1 history query, so it is not counted while you type.',
  list: 'The query reads lists of the workspace. It is not counted while you type; counting it bills nothing.',
};

export default function FindStoresPage({ loaderData, actionData }: Route.ComponentProps) {
  const { isOff, isAdmin, base, problem, reason, filter } = loaderData;
  const { failed, ...shown }: Partial<NonNullable<typeof actionData>> = actionData ?? {};
  const counted = shown.counted?.count ?? loaderData.count;
  return (
    <Page
      title="Find stores"
      lead="Which stores use a technology, are somewhere, or have dropped something. Each row bills a look-up. Counting is free, except for changes."
    >
      {isOff && <StoresOff action={`${base}/stores`} isAdmin={isAdmin} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <FilterForm {...loaderData} failed={problem ?? failed?.problem} />
        <div className="grid min-w-0 gap-6">
          <div className="grid gap-4" aria-live="polite">
            <FormNotice problem={problem?.field ? undefined : problem} />
            {problem?.field && <p className="text-quiet">The query is counted when its marked field is right.</p>}
            {counted && <CountResult count={counted} filter={filter} />}
            {reason && !counted && <p className="text-quiet">{reasons[reason]}</p>}
          </div>
          <FormNotice problem={failed?.problem.field === undefined ? failed?.problem : undefined} />
          {!problem?.field && (
            <RowsForm {...loaderData} token={failed?.values.token ?? loaderData.token} count={counted} shown={shown} />
          )}
          {counted && (
            <ExportForm
              {...loaderData}
              token={failed?.values.token ?? loaderData.token}
              count={counted}
              shown={shown}
              failed={failed}
            />
          )}
          <CopyRequest {...loaderData} />
        </div>
      </div>
      {shown.found && (
        <FoundRows found={shown.found} shown={shown} base={base} failed={failed} nextToken={loaderData.token} />
      )}
    </Page>
  );
}

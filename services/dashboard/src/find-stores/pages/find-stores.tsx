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
import { RowsForm } from './rows-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Find stores · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const url = new URL(request.url);
  // Without script, a form also sends its empty fields.
  const filled = withoutEmpty(url);
  if (filled !== undefined && request.method === 'GET') throw redirect(url.pathname.replace(/\.data$/, '') + filled);
  return { ...(await loadFind(context, url.searchParams)), base: `/workspaces/${params.workspaceId}` };
}

/** Reads rows, counts, exports, or saves rows as a list. The query is in the URL. */
export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { findStores, storeCounts }) => {
    const visit = workspaceVisit(args.context);
    const base = `/workspaces/${args.params.workspaceId}`;
    const filter = filterOf(new URL(args.request.url).searchParams);
    const token = form.text('token');
    const values = form.typed();
    switch (form.text('intent')) {
      case 'count':
        return { counted: await storeCounts.countByApi(visit, filter, token), values };
      case 'rows': {
        const sent = { token, limit: Number(form.text('limit')), cursor: form.text('cursor') };
        const page = await findStores.rows(visit, filter, sent);
        return { page, columns: form.texts('columns'), values };
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

const reasons = {
  changes: 'The query reads confirmed changes. Counting it bills 1 history query, so it is not counted while you type.',
  list: 'The query reads lists of the workspace. It is not counted while you type; counting it bills nothing.',
};

export default function FindStoresPage({ loaderData, actionData }: Route.ComponentProps) {
  const { isOff, isAdmin, base, problem, reason, filter } = loaderData;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  const found = actionData && 'page' in actionData ? actionData : undefined;
  const page = found?.page;
  const counted = actionData && 'counted' in actionData ? actionData.counted : loaderData.count;
  return (
    <Page
      title="Find stores"
      lead="Which stores use a technology, are somewhere, or have dropped something. Counting is free; each row bills a look-up."
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
            <RowsForm {...loaderData} token={failed?.values.token ?? loaderData.token} count={counted} />
          )}
          {counted && (
            <ExportForm
              {...loaderData}
              token={failed?.values.token ?? loaderData.token}
              count={counted}
              failed={failed}
            />
          )}
          <CopyRequest {...loaderData} />
        </div>
      </div>
      {page && (
        <FoundRows
          page={page}
          columns={found.columns ?? []}
          values={found.values}
          base={base}
          failed={failed}
          nextToken={loaderData.token}
        />
      )}
    </Page>
  );
}

import { FileUp, Play } from 'lucide-react';
import { data, redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { MemberStores } from '../../app/components/member-stores.tsx';
import { EmptyState, Notice, Page, Section } from '../../app/components/page.tsx';
import { apiCursorOf, plainWords, TrailPaging, trailCursorOf, trailOf } from '../../app/components/paging.tsx';
import { Time } from '../../app/components/time.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/list';
import { AddStore, ListSettings } from './list-forms.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'List of stores · Shopscope' }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const visit = workspaceVisit(context);
  const search = new URL(request.url).searchParams;
  const trail = trailOf(search, 'page');
  const [list, page] = await Promise.all([
    load(context, ({ lists }) => lists.get(visit, params.listId)),
    load(context, ({ lists }) => lists.stores(visit, params.listId, apiCursorOf(trail.at(-1)))),
  ]);
  return { list, ...page, trail, base: `/workspaces/${params.workspaceId}/lists` };
}

/** Adds a store, removes the ticked ones, or renames the list. */
export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { lists }) => {
    const visit = workspaceVisit(args.context);
    const { listId } = args.params;
    const intent = form.text('intent');
    if (intent === 'add') {
      const given = { domain: form.text('domain'), externalId: form.text('external_id') };
      return { done: `${await lists.addStore(visit, listId, given)} is in the list.` };
    }
    if (intent === 'remove') {
      const domains = form.texts('stores');
      await lists.removeStores(visit, listId, domains);
      return { done: domains.length === 1 ? `${domains[0]} was removed.` : `${domains.length} stores were removed.` };
    }
    if (intent === 'rename') {
      await lists.rename(visit, listId, form.text('name'));
      throw redirect(`/workspaces/${args.params.workspaceId}/lists/${listId}`);
    }
    throw data({}, { status: 404 });
  });

export default function ListPage({ loaderData, actionData }: Route.ComponentProps) {
  const { list, stores, next, trail, base } = loaderData;
  const path = `${base}/${list.id}`;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  const isEmpty = stores.length === 0 && trail.length === 0;
  const importLink = (
    <ButtonLink to={`${path}/import`} kind={isEmpty ? 'primary' : 'secondary'}>
      <FileUp aria-hidden className="size-4" />
      Import stores
    </ButtonLink>
  );
  return (
    <Page
      title={list.name}
      trail={[{ to: base, label: 'Lists' }]}
      lead={
        <>
          <span className="amount">{formatNumber(list.store_count)}</span> {list.store_count === 1 ? 'store' : 'stores'}
          , changed <Time ms={Date.parse(list.updated_at)} />. Its id in the API is{' '}
          <span className="code">{list.id}</span>.
        </>
      }
      action={
        !isEmpty && (
          <div className="flex flex-wrap gap-2">
            {importLink}
            <ButtonLink to={`${base.replace(/lists$/, 'watchlists')}/new?list=${list.id}`}>Watch</ButtonLink>
            <ButtonLink kind="primary" to={`${path}/enrich`}>
              <Play aria-hidden className="size-4" />
              Enrich
            </ButtonLink>
          </div>
        )
      }
    >
      {actionData && 'done' in actionData && <Notice kind="ok">{actionData.done}</Notice>}
      {isEmpty ? (
        <EmptyState title="No stores in this list" action={importLink}>
          Import a file or a pasted text, or add one store below. Your own id of each store can come with it.
        </EmptyState>
      ) : (
        <Section title="Stores" note="By domain">
          <MemberStores stores={stores} storesPath={base.replace(/lists$/, 'stores')} failed={failed} />
          <TrailPaging
            label="Pages of the list"
            name="page"
            trail={trail}
            older={next && trailCursorOf(next)}
            words={plainWords}
          />
        </Section>
      )}
      <Section title="Add a store" isCard>
        <AddStore failed={failed} />
      </Section>
      <Section title="Settings" isCard>
        <ListSettings list={list} path={path} failed={failed} />
      </Section>
    </Page>
  );
}

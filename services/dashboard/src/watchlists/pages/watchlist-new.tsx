import { redirect } from 'react-router';
import { ButtonLink, TextLink } from '../../app/components/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page, Section } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/watchlist-new';
import { leftOutQuery } from './left-out.tsx';
import { ListField } from './list-field.tsx';
import { signalTypes } from './signal-labels.ts';
import { maxPasted, WatchedFields } from './watchlist-fields.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'New watchlist · Shopscope' }];

const maxDomain = 253;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const choices = await load(context, ({ watchlists }) => watchlists.choices(workspaceVisit(context)));
  const search = new URL(request.url).searchParams;
  return {
    ...choices,
    domain: (search.get('domain') ?? '').slice(0, maxDomain),
    listId: search.get('list') ?? '',
    workspace: `/workspaces/${params.workspaceId}`,
    // A form that is sent again has the same token, so it creates no second watchlist.
    token: crypto.randomUUID(),
  };
}

/** Creates a watchlist, or adds the store of the page of a store to an existing one. */
export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { watchlists }) => {
    const visit = workspaceVisit(args.context);
    const base = `/workspaces/${args.params.workspaceId}/watchlists`;
    if (form.text('intent') === 'add') {
      const watchlistId = form.text('watchlist_id');
      await watchlists.addStores(visit, watchlistId, form.text('domain'));
      throw redirect(`${base}/${watchlistId}`);
    }
    const { id, copyId, ...left } = await watchlists.create(visit, {
      name: form.text('name'),
      signalTypes: form.texts('signal_types'),
      technologies: form.text('technologies'),
      domains: form.text('domains'),
      listId: form.text('list_id'),
      token: form.text('token'),
    });
    throw redirect(`${base}/${copyId === undefined ? id : `copies/${copyId}`}${leftOutQuery(left)}`);
  });

export default function NewWatchlistPage({ loaderData, actionData }: Route.ComponentProps) {
  const { watchlists, lists, listId, domain, workspace, token } = loaderData;
  const base = `${workspace}/watchlists`;
  const isForStore = domain !== '' && watchlists.length > 0;
  return (
    <Page
      title={domain === '' ? 'New watchlist' : `Watch ${domain}`}
      trail={[{ to: base, label: 'Watchlists' }]}
      lead="Watching is free. An admin can switch rescans on when the watchlist exists."
    >
      {isForStore && (
        <Section title="Add it to a watchlist">
          <Card className="max-w-[68ch]">
            <PostForm intent="add" failed={actionData} fields={['watchlist_id']}>
              <input type="hidden" name="domain" value={domain} />
              <SelectField
                label="Watchlist"
                name="watchlist_id"
                options={watchlists.map(({ id, name }) => [id, name] as const)}
              />
              <p>
                <SubmitButton busy="Adding…">Add the store</SubmitButton>
              </p>
            </PostForm>
          </Card>
        </Section>
      )}
      {isForStore && <h2 className="text-lg">Or create a watchlist</h2>}
      <Card className="max-w-[68ch]">
        <PostForm
          intent="create"
          failed={actionData}
          fields={['name', 'domains', 'list_id', 'technologies', 'signal_types']}
        >
          <input type="hidden" name="token" value={actionData?.values.token ?? token} />
          <TextField label="Name" name="name" required maxLength={200} />
          <TextAreaField
            label="Domains"
            name="domains"
            rows={6}
            maxLength={maxPasted}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono"
            placeholder={'shop.example\nother.example'}
            defaultValue={domain}
            help={
              <>
                Optional, one per line. <TextLink to={`${workspace}/lists/new`}>Import a file as a list</TextLink> if
                there are more than 2,000.
              </>
            }
          />
          {lists.length > 0 && <ListField lists={lists} chosen={listId} />}
          <WatchedFields types={signalTypes} technologies={[]} />
          <div className="flex flex-wrap items-center gap-2">
            <SubmitButton kind={isForStore ? 'secondary' : 'primary'} busy="Creating…">
              Create watchlist
            </SubmitButton>
            <ButtonLink to={base}>Cancel</ButtonLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

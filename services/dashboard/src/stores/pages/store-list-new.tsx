import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { TextAreaField, TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { submit, workspaceVisit } from '../../app/pages/server.ts';
import { loadAllowance, UnitsLeft } from '../../usage/pages.ts';
import type { Route } from './+types/store-list-new';

export const meta: Route.MetaFunction = () => [{ title: 'Look up a list · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  return {
    base: `/workspaces/${params.workspaceId}/stores`,
    allowance: await loadAllowance(context),
    // A form that is sent again does not create a second list.
    token: crypto.randomUUID(),
  };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { storeLists }) => {
    const file = form.file('file');
    const given = {
      name: (form.text('name') || (file?.name ?? '')).slice(0, 100),
      bytes: (await file?.bytes()) ?? new TextEncoder().encode(form.secret('domains')),
      token: form.text('token'),
    };
    const { id } = await storeLists.create(workspaceVisit(args.context), given);
    throw redirect(`/workspaces/${args.params.workspaceId}/stores/lists/${id}`);
  });

export default function NewStoreListPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, allowance, token } = loaderData;
  return (
    <Page
      title="Look up a list"
      trail={[{ to: base, label: 'Stores' }]}
      lead="Up to 10,000 lines with text, one domain per line. Nothing is looked up or billed before you start the list on the next page."
    >
      <Card className="max-w-[68ch]">
        <PostForm encType="multipart/form-data" failed={actionData} fields={['name', 'domains']}>
          <input type="hidden" name="token" value={actionData?.values.token ?? token} />
          <TextAreaField
            label="Domains"
            name="domains"
            rows={10}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono"
            placeholder={'shop.example\nother.example'}
            help="Of a table, the column domain, website or url is read, else the first one."
          />
          <TextField
            label="Or a file"
            name="file"
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
            className="h-auto py-1 md:h-auto"
            help="Text or CSV with any separator, in UTF-8, UTF-16 or Windows-1252, at most 1 MiB. It is read in place of the field above."
          />
          <TextField label="Name" name="name" maxLength={100} help="Optional, for your overview." />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <SubmitButton busy="Reading…">Check the list</SubmitButton>
            <ButtonLink to={base}>Cancel</ButtonLink>
          </div>
          <p className="text-sm text-quiet">
            A list bills 1 cached look-up for each domain that is known.{' '}
            <UnitsLeft unit="lookup_cached" allowance={allowance} />
          </p>
        </PostForm>
      </Card>
    </Page>
  );
}

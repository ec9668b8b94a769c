import { Form, redirect, useNavigation } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { TextAreaField, TextField } from '../../app/components/field.tsx';
import { FormNotice } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { contextOf, submit, workspaceVisit } from '../../app/pages/server.ts';
import { loadAllowance, UnitsLeft } from '../../usage/pages.ts';
import type { Route } from './+types/store-list-new';

export const meta: Route.MetaFunction = () => [{ title: 'Look up a list · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  return {
    base: `/workspaces/${params.workspaceId}/stores`,
    allowance: await loadAllowance(context),
    // A form that is sent again makes no second list.
    token: crypto.randomUUID(),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { storeLists } = contextOf(context).application;
  return submit({ request, context }, async (form) => {
    const file = form.file('file');
    const given = {
      name: (form.text('name') || (file?.name ?? '')).slice(0, 100),
      bytes: (await file?.bytes()) ?? new TextEncoder().encode(form.secret('domains')),
      token: form.text('token'),
    };
    const { id } = await storeLists.create(workspaceVisit(context), given);
    throw redirect(`/workspaces/${params.workspaceId}/stores/lists/${id}`);
  });
}

export default function NewStoreListPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, allowance, token } = loaderData;
  const isBusy = useNavigation().state === 'submitting';
  return (
    <Page
      title="Look up a list"
      trail={[{ to: base, label: 'Stores' }]}
      lead="Up to 10,000 lines with text, one domain per line. Nothing is looked up or billed before you start the list on the next page."
    >
      <Card className="max-w-[68ch]">
        <Form method="post" encType="multipart/form-data" className="grid gap-4">
          <FormNotice problem={actionData?.problem} fields={['name', 'domains']} />
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
            <Button kind="primary" disabled={isBusy}>
              {isBusy ? 'Reading…' : 'Check the list'}
            </Button>
            <ButtonLink to={base}>Cancel</ButtonLink>
          </div>
          <p className="text-sm text-quiet">
            A list bills 1 cached look-up for each domain that is known.{' '}
            <UnitsLeft unit="lookup_cached" allowance={allowance} />
          </p>
        </Form>
      </Card>
    </Page>
  );
}

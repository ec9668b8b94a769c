import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/list-new';
import { ImportFields } from './import-fields.tsx';
import { sentImport } from './sent-import.ts';

export const meta: Route.MetaFunction = () => [{ title: 'New list · Shopscope' }];

const maxName = 200;

// A form that is sent again has the same token, so it creates no second list.
export const loader = ({ params }: Route.LoaderArgs) => ({
  base: `/workspaces/${params.workspaceId}/lists`,
  token: crypto.randomUUID(),
});

/** Creates an empty list, or leads to the second step of an import. */
export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { lists, listImports }) => {
    const visit = workspaceVisit(args.context);
    const base = `/workspaces/${args.params.workspaceId}/lists`;
    const token = form.text('token');
    const sent = await sentImport(form);
    const name = form.text('name') || (sent?.fileName ?? '').replace(/\.\w{1,5}$/, '').slice(0, maxName);
    if (!sent) throw redirect(`${base}/${(await lists.create(visit, { name, token })).id}`);
    const id = await listImports.begin(visit, { target: { name }, bytes: sent.bytes, token });
    throw redirect(`${base}/imports/${id}`);
  });

export default function NewListPage({ loaderData, actionData }: Route.ComponentProps) {
  const { base, token } = loaderData;
  return (
    <Page
      title="New list"
      trail={[{ to: base, label: 'Lists' }]}
      lead="Lists are free. Nothing is looked up or billed."
    >
      <Card className="max-w-[68ch]">
        <PostForm encType="multipart/form-data" failed={actionData} fields={['name', 'domains']}>
          <input type="hidden" name="token" value={actionData?.values.token ?? token} />
          <TextField
            label="Name"
            name="name"
            maxLength={maxName}
            help="Without a name, the list has that of the file. Leave the fields below empty for an empty list."
          />
          <ImportFields />
          <div className="flex flex-wrap items-center gap-2">
            <SubmitButton busy="Reading…">Continue</SubmitButton>
            <ButtonLink to={base}>Cancel</ButtonLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

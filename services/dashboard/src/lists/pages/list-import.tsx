import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/list-import';
import { ImportFields } from './import-fields.tsx';
import { sentImport } from './sent-import.ts';

export const meta: Route.MetaFunction = () => [{ title: 'Import stores · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const list = await load(context, ({ lists }) => lists.get(workspaceVisit(context), params.listId));
  return { list, base: `/workspaces/${params.workspaceId}/lists`, token: crypto.randomUUID() };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { listImports }) => {
    const { workspaceId, listId } = args.params;
    const bytes = (await sentImport(form))?.bytes ?? new Uint8Array();
    const given = { target: { listId }, bytes, token: form.text('token') };
    const id = await listImports.begin(workspaceVisit(args.context), given);
    throw redirect(`/workspaces/${workspaceId}/lists/imports/${id}`);
  });

/** The first step of an import into a list that exists. */
export default function ListImportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { list, base, token } = loaderData;
  return (
    <Page
      title={`Import stores into ${isolated(list.name)}`}
      trail={[
        { to: base, label: 'Lists' },
        { to: `${base}/${list.id}`, label: list.name },
      ]}
      lead="Stores that are in the list already stay, and take the id of the import if it has one."
    >
      <Card className="max-w-[68ch]">
        <PostForm encType="multipart/form-data" failed={actionData} fields={['domains']}>
          <input type="hidden" name="token" value={actionData?.values.token ?? token} />
          <ImportFields />
          <div className="flex flex-wrap items-center gap-2">
            <SubmitButton busy="Reading…">Continue</SubmitButton>
            <ButtonLink to={`${base}/${list.id}`}>Cancel</ButtonLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

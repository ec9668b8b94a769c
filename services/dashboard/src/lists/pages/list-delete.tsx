import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { Card, Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/list-delete';
import { DeleteListForm } from './delete-list-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Delete a list · Shopscope' }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const list = await load(context, ({ lists }) => lists.get(workspaceVisit(context), params.listId));
  return { list, base: `/workspaces/${params.workspaceId}/lists` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { lists }) => {
    const { workspaceId, listId } = args.params;
    await lists.deleteList(workspaceVisit(args.context), listId, form.text('name'));
    throw redirect(`/workspaces/${workspaceId}/lists`);
  });

/** The dialog of the list as a separate page, for browsers without script. */
export default function DeleteListPage({ loaderData: { list, base }, actionData }: Route.ComponentProps) {
  const path = `${base}/${list.id}`;
  return (
    <Page
      title={`Delete ${isolated(list.name)}`}
      trail={[
        { to: base, label: 'Lists' },
        { to: path, label: list.name },
      ]}
    >
      <Card className="max-w-[520px]">
        <DeleteListForm list={list} path={path} back={path} failed={actionData} />
      </Card>
    </Page>
  );
}

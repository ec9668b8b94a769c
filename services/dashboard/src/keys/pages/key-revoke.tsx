import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { Card, Page } from '../../app/components/page.tsx';
import { load, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/key-revoke';
import { RevokeForm } from './revoke-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Revoke an API key · Shopscope' }];

const pathOf = (workspaceId: string, keyId: string) => `/workspaces/${workspaceId}/settings/keys/${keyId}`;

export async function loader({ params, context }: Route.LoaderArgs) {
  const key = await load(context, ({ keys }) => keys.openForRevocation(workspaceVisit(context), params.keyId));
  const path = pathOf(params.workspaceId, key.id);
  if (key.state === 'revoked') throw redirect(path);
  return { key, path };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { keys }) => {
    const { workspaceId, keyId } = args.params;
    await keys.revoke(workspaceVisit(args.context), keyId, form.text('prefix'));
    throw redirect(pathOf(workspaceId, keyId));
  });

/** The dialog of the list as a separate page: for browsers without script, and after a confirmation of the session. */
export default function RevokeKeyPage({ loaderData: { key, path }, actionData }: Route.ComponentProps) {
  return (
    <Page
      title={`Revoke ${isolated(key.label)}`}
      trail={[
        { to: path.replace(/\/[^/]+$/, ''), label: 'API keys' },
        { to: path, label: key.label },
      ]}
    >
      <Card className="max-w-[520px]">
        <RevokeForm value={key} path={path} back={path} failed={actionData} />
      </Card>
    </Page>
  );
}

import { isolated } from '@shopscope/text';
import { redirect } from 'react-router';
import { ButtonLink } from '../../app/components/button.tsx';
import { Card, Page } from '../../app/components/page.tsx';
import { contextOf, load, submit } from '../../app/pages/server.ts';
import { workspaceVisit } from '../../app/pages/workspace-visit.ts';
import type { Route } from './+types/key-revoke';
import { RevokeForm } from './revoke-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Revoke an API key · Shopscope' }];

const pathOf = (workspaceId: string, keyId: string) => `/workspaces/${workspaceId}/settings/keys/${keyId}`;

export async function loader({ params, context }: Route.LoaderArgs) {
  const { keys } = contextOf(context).application;
  const key = await load(context, () => keys.openForRevocation(workspaceVisit(context), params.keyId));
  const path = pathOf(params.workspaceId, key.id);
  if (key.state === 'revoked') throw redirect(path);
  return { key, path };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return submit({ request, context }, async (form) => {
    await contextOf(context).application.keys.revoke(workspaceVisit(context), params.keyId, form.text('prefix'));
    throw redirect(pathOf(params.workspaceId, params.keyId));
  });
}

/** The dialog of the list, as a page of its own: for browsers without script, and after a confirmation of the session. */
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
        <RevokeForm
          value={key}
          path={path}
          failed={actionData}
          cancel={<ButtonLink to={path}>Keep the key</ButtonLink>}
        />
      </Card>
    </Page>
  );
}

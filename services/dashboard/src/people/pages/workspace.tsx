import { isolated } from '@shopscope/text';
import { ButtonLink } from '../../app/components/button.tsx';
import { CopyField } from '../../app/components/copy-field.tsx';
import { DialogLink } from '../../app/components/dialog-link.tsx';
import { TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { Card, Notice, Page, Section } from '../../app/components/page.tsx';
import { membershipContext, submit, workspaceVisit } from '../../app/pages/server.ts';
import type { Route } from './+types/workspace';
import { DeleteWorkspaceForm } from './delete-workspace-form.tsx';

export const meta: Route.MetaFunction = () => [{ title: 'Workspace · Shopscope' }];

export function loader({ params, context }: Route.LoaderArgs) {
  const { workspaceId, name, role } = context.get(membershipContext);
  return { workspaceId, name, isAdmin: role === 'admin', base: `/workspaces/${params.workspaceId}/settings` };
}

export const action = (args: Route.ActionArgs) =>
  submit(args, async (form, { workspaceSettings }) => {
    const name = form.text('name');
    await workspaceSettings.rename(workspaceVisit(args.context), name);
    return { renamed: name };
  });

export default function WorkspacePage({ loaderData, actionData }: Route.ComponentProps) {
  const { workspaceId, name, isAdmin, base } = loaderData;
  const deletion = `${base}/workspace/delete`;
  const failed = actionData && 'problem' in actionData ? actionData : undefined;
  return (
    <Page title="Workspace">
      {actionData && 'renamed' in actionData && (
        <Notice kind="ok">
          The workspace is now called <bdi>{actionData.renamed}</bdi>.
        </Notice>
      )}
      <div className="grid max-w-[640px] gap-8">
        {isAdmin ? (
          <PostForm failed={failed} fields={['name']}>
            <TextField
              key={name}
              label="Name"
              name="name"
              required
              maxLength={200}
              autoComplete="off"
              defaultValue={name}
            />
            <div>
              <SubmitButton busy="Saving …">Save name</SubmitButton>
            </div>
          </PostForm>
        ) : (
          <div>
            <p className="text-sm text-quiet">Name</p>
            <p className="font-medium">
              <bdi>{name}</bdi>
            </p>
          </div>
        )}
        <Section title="Workspace id">
          <CopyField label="the workspace id" value={workspaceId} />
          <p className="text-sm text-quiet">Shopscope support asks for it. It is not a secret.</p>
        </Section>
        <Section title="Leave">
          <Card className="flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0">You lose access at once. Your keys stay valid.</p>
            <ButtonLink to={`${base}/leave`}>Leave workspace</ButtonLink>
          </Card>
        </Section>
        {isAdmin && (
          <Section title="Delete">
            <Card className="flex flex-wrap items-center justify-between gap-3">
              <p className="min-w-0">Every key is revoked, and everybody loses access.</p>
              <DialogLink
                kind="danger"
                to={deletion}
                title={`Delete ${isolated(name)}`}
                dialog={<DeleteWorkspaceForm name={name} path={deletion} />}
              >
                Delete workspace
              </DialogLink>
            </Card>
          </Section>
        )}
      </div>
    </Page>
  );
}

import { isolated } from '@shopscope/text';
import { useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { Button, ButtonLink } from '../../app/components/button.tsx';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { DeletionConsequences } from '../../app/components/consequences.tsx';
import { CopyField } from '../../app/components/copy-field.tsx';
import { Dialog, DialogClose } from '../../app/components/dialog.tsx';
import { DialogLink } from '../../app/components/dialog-link.tsx';
import { TextField } from '../../app/components/field.tsx';
import { FormNotice } from '../../app/components/form-notice.tsx';
import { Notice } from '../../app/components/notice.tsx';
import { Card, Page, Section } from '../../app/components/page.tsx';
import { contextOf, submit } from '../../app/pages/server.ts';
import { membershipContext } from '../../app/pages/session.ts';
import { workspaceVisit } from '../../app/pages/workspace-visit.ts';
import type { Route } from './+types/workspace';

export const meta: Route.MetaFunction = () => [{ title: 'Workspace · Shopscope' }];

export function loader({ context }: Route.LoaderArgs) {
  const { workspaceId, name, role } = context.get(membershipContext);
  return { workspaceId, name, isAdmin: role === 'admin', base: `/workspaces/${workspaceId}/settings` };
}

export async function action({ request, context }: Route.ActionArgs) {
  return submit({ request, context }, async (form) => {
    const name = form.text('name');
    await contextOf(context).application.workspaceSettings.rename(workspaceVisit(context), name);
    return { renamed: name };
  });
}

export default function WorkspacePage({ loaderData, actionData }: Route.ComponentProps) {
  const { workspaceId, name, isAdmin, base } = loaderData;
  const isBusy = useNavigation().formAction === `${base}/workspace`;
  const [isDeleting, setDeleting] = useState(false);
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
          <Form method="post" className="grid gap-4">
            <FormNotice problem={failed?.problem} fields={['name']} />
            <TextField
              key={name}
              form={failed}
              label="Name"
              name="name"
              required
              maxLength={200}
              autoComplete="off"
              defaultValue={name}
            />
            <div>
              <Button kind="primary" disabled={isBusy}>
                {isBusy ? 'Saving …' : 'Save name'}
              </Button>
            </div>
          </Form>
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
          <p className="text-sm text-quiet">Shopscope support asks for it. It is no secret.</p>
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
              <DialogLink kind="danger" to={`${base}/workspace/delete`} onOpen={() => setDeleting(true)}>
                Delete workspace
              </DialogLink>
            </Card>
          </Section>
        )}
      </div>
      {isAdmin && (
        <Dialog title={`Delete ${isolated(name)}`} open={isDeleting} onOpenChange={setDeleting}>
          <ConfirmForm
            action={`${base}/workspace/delete`}
            field="name"
            expected={name}
            button="Delete workspace"
            busyButton="Deleting …"
            cancel={<DialogClose render={<Button type="button">Keep the workspace</Button>} />}
          >
            <DeletionConsequences />
          </ConfirmForm>
        </Dialog>
      )}
    </Page>
  );
}

import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';

/** Asks for the name of the workspace and deletes it. `path`: the page of the action. `back`: the previous page, unless it is a dialog. */
export const DeleteWorkspaceForm = (props: {
  name: string;
  path: string;
  back?: string;
  failed?: FailedForm | undefined;
}) => (
  <ConfirmForm
    action={props.path}
    field="name"
    expected={props.name}
    button="Delete workspace"
    busyButton="Deleting …"
    keep="Keep the workspace"
    back={props.back}
    failed={props.failed}
  >
    <ul className="grid list-disc gap-1 pl-5">
      <li>Every key of the workspace is revoked. API servers refuse them within 60 seconds.</li>
      <li>All members lose access at once, and open invitations end.</li>
      <li>It cannot be undone. Usage stays billed, and the audit log is kept.</li>
    </ul>
  </ConfirmForm>
);

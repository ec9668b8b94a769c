import { isolated } from '@shopscope/text';
import type { ComponentProps } from 'react';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { DialogLink } from '../../app/components/dialog-link.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';

interface DeletedList {
  list: { name: string };
  /** The path of the list's page. */
  path: string;
}

/** Asks for the name of the list and deletes it. */
export const DeleteListForm = ({
  list,
  path,
  ...rest
}: DeletedList & { back?: string; failed?: FailedForm | undefined }) => (
  <ConfirmForm
    action={`${path}/delete`}
    field="name"
    expected={list.name}
    button="Delete the list"
    busyButton="Deleting …"
    keep="Keep the list"
    {...rest}
  >
    <p>
      The list is gone at once for everybody in this workspace and for its API keys. Its unfinished jobs are canceled.
      Results of jobs stay for 30 days, and what was billed stays billed.
    </p>
  </ConfirmForm>
);

/** Links to the form, and shows it as a dialog. */
export const DeleteListLink = ({
  list,
  path,
  ...rest
}: DeletedList & Omit<ComponentProps<typeof DialogLink>, 'to' | 'title' | 'dialog'>) => (
  <DialogLink
    to={`${path}/delete`}
    title={`Delete ${isolated(list.name)}`}
    dialog={<DeleteListForm list={list} path={path} />}
    {...rest}
  >
    Delete the list
  </DialogLink>
);

import { isolated } from '@shopscope/text';
import type { ComponentProps } from 'react';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { DialogLink } from '../../app/components/dialog-link.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';

interface DeletedWatchlist {
  watchlist: { name: string };
  /** The path of the watchlist's page. */
  path: string;
}

/** Asks for the name of the watchlist and deletes it. */
export const DeleteWatchlistForm = ({
  watchlist,
  path,
  ...rest
}: DeletedWatchlist & { back?: string; failed?: FailedForm | undefined }) => (
  <ConfirmForm
    action={`${path}/delete`}
    field="name"
    expected={watchlist.name}
    button="Delete the watchlist"
    busyButton="Deleting …"
    keep="Keep the watchlist"
    {...rest}
  >
    <p>
      The watchlist is gone at once for everybody in this workspace and for its API keys. Rescans that have not started
      return their units. Changes that were received stay for 30 days.
    </p>
  </ConfirmForm>
);

/** Links to the form, and shows it as a dialog. */
export const DeleteWatchlistLink = ({
  watchlist,
  path,
  ...rest
}: DeletedWatchlist & Omit<ComponentProps<typeof DialogLink>, 'to' | 'title' | 'dialog'>) => (
  <DialogLink
    to={`${path}/delete`}
    title={`Delete ${isolated(watchlist.name)}`}
    dialog={<DeleteWatchlistForm watchlist={watchlist} path={path} />}
    {...rest}
  >
    Delete the watchlist
  </DialogLink>
);

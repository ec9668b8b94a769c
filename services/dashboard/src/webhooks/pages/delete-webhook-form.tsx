import type { ComponentProps } from 'react';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { DialogLink } from '../../app/components/dialog-link.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { EndpointView } from '../domain/endpoint-view.ts';

interface DeletedWebhook {
  endpoint: Pick<EndpointView, 'host'>;
  /** The path of the webhook's page. */
  path: string;
}

/** Asks for the host of the URL and deletes the webhook. */
export const DeleteWebhookForm = ({
  endpoint,
  path,
  ...rest
}: DeletedWebhook & { back?: string; failed?: FailedForm | undefined }) => (
  <ConfirmForm
    action={`${path}/delete`}
    field="host"
    expected={endpoint.host}
    button="Delete the webhook"
    busyButton="Deleting …"
    keep="Keep the webhook"
    {...rest}
  >
    <p>
      No message is sent any more; one that is on its way may still arrive. Messages that wait are dropped. Deliveries
      stay readable for 30 days.
    </p>
  </ConfirmForm>
);

/** Links to the form, and shows it as a dialog. */
export const DeleteWebhookLink = ({
  endpoint,
  path,
  ...rest
}: DeletedWebhook & Omit<ComponentProps<typeof DialogLink>, 'to' | 'title' | 'dialog'>) => (
  <DialogLink
    to={`${path}/delete`}
    title="Delete this webhook"
    dialog={<DeleteWebhookForm endpoint={endpoint} path={path} />}
    {...rest}
  >
    Delete the webhook
  </DialogLink>
);

import { isolated } from '@shopscope/text';
import type { ComponentProps } from 'react';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import { DialogLink } from '../../app/components/dialog-link.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { KeyView } from '../operations/keys.ts';

interface RevokedKey {
  value: Pick<KeyView, 'prefix' | 'label'>;
  /** The path of the key's page. */
  path: string;
}

/** Asks for the key's prefix and revokes the key. */
export const RevokeForm = (props: RevokedKey & { back?: string; failed?: FailedForm | undefined }) => (
  <ConfirmForm
    action={`${props.path}/revoke`}
    field="prefix"
    expected={props.value.prefix}
    button="Revoke key"
    busyButton="Revoking …"
    keep="Keep the key"
    back={props.back}
    failed={props.failed}
  >
    <p>
      Requests with <span className="code">{props.value.prefix}</span> are refused with{' '}
      <span className="code">401 unauthorized</span>: as a rule within a second, and at every API server within 60
      seconds. A revoked key cannot be used again.
    </p>
  </ConfirmForm>
);

/** Links to the form, and shows it as a dialog. */
export const RevokeLink = ({
  value,
  path,
  ...rest
}: RevokedKey & Omit<ComponentProps<typeof DialogLink>, 'to' | 'title' | 'dialog'>) => (
  <DialogLink
    to={`${path}/revoke`}
    title={`Revoke ${isolated(value.label)}`}
    dialog={<RevokeForm value={value} path={path} />}
    {...rest}
  />
);

import type { ReactNode } from 'react';
import { ConfirmForm } from '../../app/components/confirm-form.tsx';
import type { FailedForm } from '../../app/pages/failed-form.ts';
import type { KeyView } from '../operations/keys.ts';

/** Asks for the key's prefix and revokes the key. `path` is the path of the key. */
export function RevokeForm({
  value: { prefix },
  path,
  cancel,
  failed,
}: {
  value: Pick<KeyView, 'prefix'>;
  path: string;
  cancel: ReactNode;
  failed?: FailedForm | undefined;
}) {
  return (
    <ConfirmForm
      action={`${path}/revoke`}
      field="prefix"
      expected={prefix}
      button="Revoke key"
      busyButton="Revoking …"
      cancel={cancel}
      failed={failed}
    >
      <p>
        Requests with <span className="code">{prefix}</span> are refused with{' '}
        <span className="code">401 unauthorized</span>: as a rule within a second, and at every API server within 60
        seconds. A revoked key cannot be used again.
      </p>
    </ConfirmForm>
  );
}

import type { ReactNode } from 'react';
import { useFetcher } from 'react-router';
import type { KeyView } from '../../src/operations/keys.ts';
import type { FormProblem as Failed } from '../server.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { errorOf, FormNotice } from './form-problem.tsx';

/** Asks for the key's prefix and revokes the key. `cancel` leads back. It stands in a dialog, and on a page of its own. */
export function RevokeForm({
  value,
  action,
  cancel,
  failed,
}: {
  value: Pick<KeyView, 'label' | 'prefix'>;
  /** Path of the key's revoke page. */
  action: string;
  cancel: ReactNode;
  /** The problem of a form that was sent without script. */
  failed?: Failed | undefined;
}) {
  const fetcher = useFetcher<Failed>();
  const { problem, values } = fetcher.data ?? failed ?? {};
  const isBusy = fetcher.state !== 'idle';
  return (
    <fetcher.Form method="post" action={action} className="grid gap-4">
      <p>
        Requests with <span className="code">{value.prefix}</span> are refused with{' '}
        <span className="code">401 unauthorized</span>: as a rule within a second, and at every gateway within 60
        seconds. A revoked key cannot be used again.
      </p>
      <FormNotice problem={problem} fields={['prefix']} />
      <TextField
        label="Enter the prefix of the key to confirm"
        name="prefix"
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="code"
        placeholder={value.prefix}
        defaultValue={values?.prefix}
        error={errorOf(problem, 'prefix')}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {cancel}
        <Button kind="danger" disabled={isBusy}>
          {isBusy ? 'Revoking …' : 'Revoke key'}
        </Button>
      </div>
    </fetcher.Form>
  );
}

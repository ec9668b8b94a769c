import { AlertDialog } from '@base-ui/react/alert-dialog';
import { isolated } from '@shopscope/text';
import type { ReactNode } from 'react';
import { useFetcher } from 'react-router';
import type { FailedForm } from '../pages/page-failure.ts';
import { Button, ButtonLink } from './button.tsx';
import { FailedFormContext, TextField } from './field.tsx';
import { FormNotice } from './form.tsx';

/** Asks for the name of the thing that is deleted or revoked, in a dialog or on a page of its own. The action compares the text. */
export function ConfirmForm(props: {
  /** The path of the page whose action makes the change. */
  action: string;
  /** The name of the field, and the text that the person has to enter. */
  field: string;
  expected: string;
  button: string;
  busyButton: string;
  /** The fields of `children` that show their problems themselves. */
  otherFields?: readonly string[];
  /** The text of the button that leads back. */
  keep: string;
  /** The previous page. Undefined in a dialog, which closes instead. */
  back?: string | undefined;
  /** A form that was sent without script and failed. */
  failed?: FailedForm | undefined;
  /** The consequences of the change, and further fields. */
  children: ReactNode;
}) {
  const fetcher = useFetcher<FailedForm>();
  const form = fetcher.data ?? props.failed;
  const isBusy = fetcher.state !== 'idle';
  return (
    <fetcher.Form method="post" action={props.action} className="grid gap-4">
      <FailedFormContext value={form}>
        {props.children}
        <FormNotice problem={form?.problem} fields={[props.field, ...(props.otherFields ?? [])]} />
        <TextField
          label={`Enter ${isolated(props.expected)} to confirm`}
          name={props.field}
          required
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </FailedFormContext>
      <div className="flex flex-wrap justify-end gap-2">
        {props.back === undefined ? (
          <AlertDialog.Close render={<Button type="button">{props.keep}</Button>} />
        ) : (
          <ButtonLink to={props.back}>{props.keep}</ButtonLink>
        )}
        <Button kind="danger" disabled={isBusy}>
          {isBusy ? props.busyButton : props.button}
        </Button>
      </div>
    </fetcher.Form>
  );
}

import type { ReactNode } from 'react';
import { useFetcher } from 'react-router';
import type { FormProblem as Failed } from '../server.ts';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { errorOf, FormNotice } from './form-problem.tsx';

/** Asks for the name of what is removed or deleted. It stands in a dialog, and on a page of its own. */
export function NameForm(props: {
  action: string;
  /** The name that the person has to enter. */
  name: string;
  label: string;
  button: string;
  busyButton: string;
  cancel: ReactNode;
  failed?: Failed | undefined;
  children: ReactNode;
}) {
  const fetcher = useFetcher<Failed>();
  const { problem, values } = fetcher.data ?? props.failed ?? {};
  const isBusy = fetcher.state !== 'idle';
  return (
    <fetcher.Form method="post" action={props.action} className="grid gap-4">
      {props.children}
      <FormNotice problem={problem} fields={['name']} />
      <TextField
        label={props.label}
        name="name"
        required
        autoComplete="off"
        placeholder={props.name}
        defaultValue={values?.name}
        error={errorOf(problem, 'name')}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {props.cancel}
        <Button kind="danger" disabled={isBusy}>
          {isBusy ? props.busyButton : props.button}
        </Button>
      </div>
    </fetcher.Form>
  );
}

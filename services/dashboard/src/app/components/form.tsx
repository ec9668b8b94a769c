import { type ComponentProps, useEffect } from 'react';
import { Form, useLocation, useNavigation } from 'react-router';
import { confirmationPath, type FailedForm } from '../pages/page-failure.ts';
import { Button } from './button.tsx';
import { FailureHelp } from './failure.tsx';
import { FailedFormContext } from './field.tsx';
import { Notice } from './page.tsx';

interface PostFormProps extends ComponentProps<typeof Form> {
  /** A form of the page that was sent and failed. */
  failed?: Partial<FailedForm> | undefined;
  /** See {@link FormNotice}. */
  fields?: readonly string[];
  /** The name of the form, for an action that has several forms. */
  intent?: string;
  /** Whether the page shows the notice of the failure elsewhere. */
  hasOwnNotice?: boolean;
}

/** A form that is sent to the action of its page. It shows the notice of its failure. */
export function PostForm({ failed, fields, intent, hasOwnNotice, children, ...rest }: PostFormProps) {
  const own = intent === undefined || failed?.values?.intent === intent ? failed : undefined;
  return (
    <Form method="post" className="grid gap-4" {...rest}>
      {intent && <input type="hidden" name="intent" value={intent} />}
      {!hasOwnNotice && <FormNotice problem={own?.problem} fields={fields} />}
      <FailedFormContext value={own}>{children}</FailedFormContext>
    </Form>
  );
}

/** Sends its form. It is disabled until the next page is loaded, and shows the text `busy` if a form was sent. */
export function SubmitButton({ busy, disabled, children, ...rest }: ComponentProps<typeof Button> & { busy?: string }) {
  const { state, formData } = useNavigation();
  return (
    <Button kind="primary" disabled={disabled || state !== 'idle'} {...rest}>
      {formData && busy ? busy : children}
    </Button>
  );
}

/** Shows the failure of a form, unless it concerns one of `fields` (default: any field). The first wrong field gets the focus. */
export function FormNotice(props: {
  problem: FailedForm['problem'] | undefined;
  fields?: readonly string[] | undefined;
}) {
  const { problem, fields } = props;
  useEffect(() => {
    if (problem) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  if (!problem || (problem.field && (!fields || fields.includes(problem.field)))) return null;
  if (problem.needsConfirmation) return <ConfirmationNotice />;
  return (
    <Notice kind="danger">
      <p>{problem.message}</p>
      {problem.status !== undefined && problem.status >= 500 && (
        <FailureHelp of={problem.isUnanswered ? 'unanswered' : 'form'} requestId={problem.requestId} />
      )}
    </Notice>
  );
}

/** The confirmation opens in a new tab, because the form then keeps the typed texts. */
function ConfirmationNotice() {
  const { pathname, search } = useLocation();
  return (
    <Notice kind="warning" title="Confirm that it is you">
      <p>
        This needs a sign-in of the last 15 minutes. Nothing was changed, and what you typed is kept.{' '}
        <a href={confirmationPath(pathname + search)} target="_blank" rel="noreferrer" className="link">
          Confirm in a new tab
        </a>
        , then send this form again.
      </p>
    </Notice>
  );
}

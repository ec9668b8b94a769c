import type { ComponentProps } from 'react';
import { Form, useNavigation } from 'react-router';
import type { FailedForm } from '../pages/failed-form.ts';
import { Button } from './button.tsx';
import { FormNotice } from './form-notice.tsx';

interface PostFormProps extends ComponentProps<typeof Form> {
  /** This form, when it was sent and failed. */
  failed?: Partial<FailedForm> | undefined;
  /** As of {@link FormNotice}. */
  fields?: readonly string[];
  /** Tells the action which form of the page was sent. */
  intent?: string;
}

/** A form whose action is that of the page, with the notice of its failure. */
export const PostForm = ({ failed, fields, intent, children, ...rest }: PostFormProps) => (
  <Form method="post" className="grid gap-4" {...rest}>
    {intent && <input type="hidden" name="intent" value={intent} />}
    <FormNotice problem={failed?.problem} fields={fields} />
    {children}
  </Form>
);

/** Sends its form. Until the next page is there it is disabled, and has the text `busy` when a form was sent. */
export function SubmitButton({ busy, disabled, children, ...rest }: ComponentProps<typeof Button> & { busy?: string }) {
  const { state, formData } = useNavigation();
  return (
    <Button kind="primary" disabled={disabled || state !== 'idle'} {...rest}>
      {formData && busy ? busy : children}
    </Button>
  );
}

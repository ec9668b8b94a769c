import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import type { FailedForm } from '../pages/page-failure.ts';

interface FieldProps {
  label: string;
  help?: ReactNode;
  /** The failed form: a field of this name shows its problem, and keeps what was typed. */
  form?: Partial<FailedForm> | undefined;
  /** Shown in place of the form's problem with this field. */
  error?: string | undefined;
}

const control =
  'h-10 w-full rounded border border-control bg-raised px-3 text-text placeholder:text-quiet md:h-8 aria-invalid:border-danger';

export type TextFieldProps = Omit<ComponentProps<'input'>, 'form'> & FieldProps;
type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'form'> & FieldProps;
interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'form'>, FieldProps {
  options: readonly (readonly [value: string, text: string])[];
}

/** A labelled input. The label stands above, the help below, and the error at the field. */
export function TextField({ className = '', ...props }: TextFieldProps) {
  const { attributes, frame } = useField(props);
  return (
    <Frame {...frame}>
      <input dir="auto" className={`${control} ${className}`} {...attributes} />
    </Frame>
  );
}

/** Several lines of text. */
export function TextAreaField({ className = '', ...props }: TextAreaFieldProps) {
  const { attributes, frame } = useField(props);
  return (
    <Frame {...frame}>
      <textarea
        dir="auto"
        className={`w-full rounded border border-control bg-raised px-3 py-2 text-text placeholder:text-quiet aria-invalid:border-danger ${className}`}
        {...attributes}
      />
    </Frame>
  );
}

export function SelectField({ options, ...props }: SelectFieldProps) {
  const { attributes, frame } = useField(props);
  return (
    <Frame {...frame}>
      <select className={control} {...attributes}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** The text of the form's failure when it concerns this field. */
export const errorOf = (form: Partial<FailedForm> | undefined, name: string | undefined): string | undefined =>
  name !== undefined && form?.problem?.field === name ? form.problem.message : undefined;

/** What a control and the frame around it get. `defaultValue` is used until the form has failed. */
function useField<P extends FieldProps & { name?: string | undefined; value?: unknown; defaultValue?: unknown }>({
  label,
  help,
  form,
  error: ownError,
  ...rest
}: P) {
  const id = useId();
  const { name, defaultValue } = rest;
  const error = ownError ?? errorOf(form, name);
  const typed = name === undefined ? undefined : form?.values?.[name];
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean);
  return {
    frame: { id, label, help, error },
    attributes: {
      ...rest,
      id,
      // A controlled field has no default.
      ...('value' in rest ? {} : { defaultValue: typed ?? defaultValue }),
      'aria-invalid': error ? (true as const) : undefined,
      'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    },
  };
}

function Frame(props: { id: string; label: string; help: ReactNode; error: string | undefined; children: ReactNode }) {
  const { id, label, help, error, children } = props;
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="font-medium [overflow-wrap:anywhere]">
        {label}
      </label>
      {children}
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1 text-sm text-danger">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="text-sm text-quiet">
          {help}
        </p>
      )}
    </div>
  );
}

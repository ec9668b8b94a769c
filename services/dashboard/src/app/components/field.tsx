import { CircleAlert } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import type { FailedForm } from '../pages/page-failure.ts';

interface FieldProps {
  label: string;
  help?: ReactNode;
  /** A further name under which the operation may report a problem with the field. */
  alias?: string;
}

/** The failure of the form around a field. A field shows its problem, and keeps the typed text. */
export const FailedFormContext = createContext<Partial<FailedForm> | undefined>(undefined);

/** The message of the form's failure, if it concerns a field with one of these names. */
export function useProblemOf(...names: readonly (string | undefined)[]): string | undefined {
  const problem = useContext(FailedFormContext)?.problem;
  return problem?.field !== undefined && names.includes(problem.field) ? problem.message : undefined;
}

const control =
  'h-10 w-full rounded border border-control bg-raised px-3 text-text placeholder:text-quiet md:h-8 aria-invalid:border-danger';

export type TextFieldProps = ComponentProps<'input'> & FieldProps & { isCode?: boolean };
type TextAreaFieldProps = ComponentProps<'textarea'> & FieldProps;
interface SelectFieldProps extends ComponentProps<'select'>, FieldProps {
  options: readonly (readonly [value: string, text: string])[];
}

/** Attributes for a text such as a domain, which a browser must not correct or complete. */
const code = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false };

/** A labelled input. The label is above it, the help below it, and the error at the field. */
export function TextField({ className = '', isCode, ...props }: TextFieldProps) {
  const { attributes, frame } = useField(props);
  return (
    <Frame {...frame}>
      <input
        dir="auto"
        className={`${control} ${isCode ? 'font-mono' : ''} ${className}`}
        {...(isCode && code)}
        {...attributes}
      />
    </Frame>
  );
}

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

/** The props of a control and of the frame around it. `defaultValue` is used until the form has failed. */
function useField<P extends FieldProps & { name?: string | undefined; value?: unknown; defaultValue?: unknown }>({
  label,
  help,
  alias,
  ...rest
}: P) {
  const id = useId();
  const { name, defaultValue } = rest;
  const error = useProblemOf(name, alias);
  const values = useContext(FailedFormContext)?.values;
  const typed = name === undefined ? undefined : values?.[name];
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean);
  return {
    frame: { id, label, help, error },
    attributes: {
      ...rest,
      id,
      // A controlled field must not have a default.
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

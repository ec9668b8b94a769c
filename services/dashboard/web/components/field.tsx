import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldFrame {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
}

const control =
  'h-10 w-full rounded border border-control bg-raised px-3 text-text placeholder:text-quiet md:h-8 aria-invalid:border-danger';

/** A labelled input. The label stands above, the help below, and the error at the field. */
export function TextField({ label, help, error, className = '', ...rest }: ComponentProps<'input'> & FieldFrame) {
  const id = useId();
  return (
    <Frame id={id} label={label} help={help} error={error}>
      <input
        id={id}
        className={`${control} ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, help, error)}
        {...rest}
      />
    </Frame>
  );
}

export function SelectField({ label, help, error, className = '', ...rest }: ComponentProps<'select'> & FieldFrame) {
  const id = useId();
  return (
    <Frame id={id} label={label} help={help} error={error}>
      <select
        id={id}
        className={`${control} ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, help, error)}
        {...rest}
      />
    </Frame>
  );
}

function Frame({ id, label, help, error, children }: FieldFrame & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
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

function describedBy(id: string, help: unknown, error: unknown): string | undefined {
  const ids = [error && `${id}-error`, help && `${id}-help`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

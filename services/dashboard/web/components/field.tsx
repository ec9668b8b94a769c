import { CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';

interface FieldFrame {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
}

const control =
  'h-10 w-full rounded border border-control bg-raised px-3 text-text placeholder:text-quiet md:h-8 aria-invalid:border-danger';

/** A labelled input. The label stands above, the help below, and the error at the field, which then has the focus. */
export function TextField({ label, help, error, className = '', ...rest }: ComponentProps<'input'> & FieldFrame) {
  const id = useId();
  const element = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) element.current?.focus();
  }, [error]);
  return (
    <Frame id={id} label={label} help={help} error={error}>
      <input
        id={id}
        ref={element}
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

function describedBy(id: string, help: unknown, error: unknown): string | undefined {
  const ids = [error && `${id}-error`, help && `${id}-help`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

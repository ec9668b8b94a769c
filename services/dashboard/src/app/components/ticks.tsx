import { type ReactNode, useContext } from 'react';
import { FailedFormContext, useProblemOf } from './field.tsx';

interface TicksProps {
  legend: string;
  /** The name of every box. */
  name: string;
  options: readonly { value: string; label: ReactNode; text?: string }[];
  /** The values that are ticked until the form has failed. */
  ticked: readonly string[];
  help?: string;
  className?: string;
}

/** Boxes of one name. A long list scrolls. */
export function Ticks({ legend, name, options, ticked, help, className = '' }: TicksProps) {
  const error = useProblemOf(name);
  // A failed form returns the values of all ticked boxes with one name as one text, separated by spaces.
  const typed = useContext(FailedFormContext)?.values;
  const chosen = typed ? (typed[name] ?? '').split(' ') : ticked;
  return (
    <fieldset className="grid min-w-0 gap-1">
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className={`grid gap-x-6 ${className}`}>
        {options.map(({ value, label, text }, position) => (
          <label key={value} className="flex min-h-8 items-start gap-3 py-1 md:min-h-7">
            <input
              type="checkbox"
              name={name}
              value={value}
              defaultChecked={chosen.includes(value)}
              aria-invalid={error && position === 0 ? true : undefined}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="grid min-w-0 [overflow-wrap:anywhere]">
              {label}
              {text && <span className="text-sm text-quiet">{text}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {help && <p className="text-sm text-quiet">{help}</p>}
    </fieldset>
  );
}

import { useContext } from 'react';
import { FailedFormContext, TextField, useProblemOf } from '../../app/components/field.tsx';
import { signalLabels, signalTypes } from './signal-labels.ts';

interface WatchedFieldsProps {
  /** The ticked kinds of changes. */
  types: readonly string[];
  technologies: readonly string[];
}

/** Which changes of its stores a watchlist receives. */
export function WatchedFields({ types, technologies }: WatchedFieldsProps) {
  const error = useProblemOf('signal_types');
  // A failed form returns the values of all ticked boxes with one name as one text, separated by spaces.
  const typed = useContext(FailedFormContext)?.values;
  const ticked = typed ? (typed.signal_types ?? '').split(' ') : types;
  return (
    <>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium">Changes to receive</legend>
        {signalTypes.map((type, position) => (
          <label key={type} className="flex min-h-8 items-center gap-3 md:min-h-7">
            <input
              type="checkbox"
              name="signal_types"
              value={type}
              defaultChecked={ticked.includes(type)}
              aria-invalid={error && position === 0 ? true : undefined}
              className="size-4 shrink-0 accent-accent"
            />
            {signalLabels[type]}
          </label>
        ))}
        {error && (
          <p role="alert" className="text-sm text-danger">
            {error}
          </p>
        )}
      </fieldset>
      <TextField
        label="Only these technologies"
        name="technologies"
        isCode
        placeholder="klaviyo, gorgias"
        defaultValue={technologies.join(', ')}
        help="Optional. Enter slugs, separated by commas. If the field is empty, the watchlist receives the changes of all technologies."
      />
    </>
  );
}

/** A pasted text of stores. A form may have 64 KiB. */
export const maxPasted = 40_000;

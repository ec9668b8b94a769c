import type { Environment } from '@shopscope/environment';
import { useContext } from 'react';
import { FailedFormContext, useProblemOf } from '../../app/components/field.tsx';

const texts = {
  live: { name: 'Live', text: 'Reads real stores. What it uses counts to the allowance of the plan.' },
  test: {
    name: 'Test',
    text: 'Reads generated stores, for development. It has an allowance of its own and scans nothing.',
  },
} as const;

/** The choice of the environment of a key, in the field `environment`. */
export function EnvironmentField({ value }: { value: Environment }) {
  const chosen = useContext(FailedFormContext)?.values?.environment ?? value;
  const error = useProblemOf('environment');
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">Environment</legend>
      {(['live', 'test'] as const).map((environment) => (
        <label
          key={environment}
          className="grid cursor-pointer grid-cols-[16px_minmax(0,1fr)] gap-x-3 rounded border bg-raised px-3 py-2 has-[:checked]:border-accent has-[:checked]:bg-accent-soft"
        >
          <input
            type="radio"
            name="environment"
            value={environment}
            defaultChecked={chosen === environment}
            required
            className="mt-0.5 size-4 accent-accent"
          />
          <span className="grid min-w-0">
            <span className="font-medium">{texts[environment].name}</span>
            <span className="text-sm text-quiet">{texts[environment].text}</span>
          </span>
        </label>
      ))}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

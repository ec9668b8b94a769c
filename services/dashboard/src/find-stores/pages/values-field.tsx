import type { MouseEvent } from 'react';
import { SelectField, TextField, useProblemOf } from '../../app/components/field.tsx';
import { nearValuesOf } from './near-values.ts';

interface ValuesFieldProps {
  label: string;
  name: string;
  value: string | undefined;
  placeholder: string;
  choice: {
    label: string;
    name: string;
    value: string | undefined;
    options: readonly (readonly [value: string, text: string])[];
  };
}

/** Several values in one text, and whether the store has one of them or none. Near values of the API can be clicked. */
export function ValuesField({ label, name, value, placeholder, choice }: ValuesFieldProps) {
  return (
    <div className="grid gap-1">
      <div className="grid items-end gap-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
        <SelectField label={choice.label} name={choice.name} defaultValue={choice.value} options={choice.options} />
        <TextField label={label} name={name} isCode defaultValue={value} placeholder={placeholder} />
      </div>
      <NearValues name={name} />
    </div>
  );
}

/** Without script, the message at the field has the near values. */
export function NearValues({ name }: { name: string }) {
  const found = nearValuesOf(useProblemOf(name) ?? '');
  if (!found) return null;
  const take = (event: MouseEvent<HTMLButtonElement>, near: string) => {
    const input = event.currentTarget.form?.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) return;
    const parts = input.value.split(/([\s,;]+)/).map((part) => (part === found.wrong ? near : part));
    // React sees a value that was set through the prototype, as if it was typed.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, parts.join(''));
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
  };
  return (
    <p className="flex flex-wrap gap-2">
      {found.near.map((near) => (
        <button
          key={near}
          type="button"
          onClick={(event) => take(event, near)}
          className="code inline-flex h-8 items-center rounded-full bg-accent-soft px-3 text-accent md:h-6"
        >
          {near}
        </button>
      ))}
    </p>
  );
}

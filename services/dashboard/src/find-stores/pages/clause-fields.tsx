import { leastConfidences } from '../../app/components/confidences.ts';
import { SelectField, TextField } from '../../app/components/field.tsx';
import type { ClausePart, StoreFilter } from '../domain/store-filter.ts';
import { NearValues } from './values-field.tsx';

const has = [
  ['', 'has one of'],
  ['all', 'has each of'],
  ['none', 'has none of'],
  ['dropped', 'has dropped one of'],
] as const;

const by = [
  ['', 'technologies'],
  ['category', 'categories'],
  ['kind', 'kinds'],
] as const;

const examples: Readonly<Record<string, string>> = {
  '': 'klaviyo, omnisend',
  category: 'reviews, email',
  kind: 'app, service, theme',
};

const firstScans = [
  ['', 'Left out'],
  ['included', 'Included'],
] as const;

const installStates = [
  ['', 'Any'],
  ['active', 'Active'],
  ['configured', 'Set up'],
  ['inactive', 'No longer active'],
] as const;

/** A clause about technologies. All its conditions hold for one and the same technology. */
export function ClauseFields({ name, number, filter }: { name: string; number: number; filter: StoreFilter }) {
  const of = (part: ClausePart) => ({
    name: `${name}_${part}`,
    defaultValue: filter[`${name}_${part}`],
  });
  const isOpen = ['state', 'min', 'from', 'to', 'first'].some((part) => filter[`${name}_${part}`] !== undefined);
  return (
    <fieldset className="grid gap-2 rounded border p-3">
      <legend className="sr-only">Clause {number}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        <SelectField label="The store" options={has} {...of('has')} />
        <SelectField label="Of" options={by} {...of('by')} />
      </div>
      <TextField
        label="Names"
        name={name}
        isCode
        defaultValue={filter[name]}
        placeholder={examples[filter[`${name}_by`] ?? '']}
      />
      <NearValues name={name} />
      <details open={isOpen}>
        <summary className="cursor-pointer rounded text-sm text-quiet">State, confidence, dates</summary>
        <div className="mt-2 grid gap-2 sm:grid-cols-2">
          <SelectField label="State" options={installStates} {...of('state')} />
          <SelectField label="Confidence" options={leastConfidences} {...of('min')} />
          <TextField label="First seen or dropped since" type="date" {...of('from')} />
          <TextField label="First seen or dropped until" type="date" {...of('to')} />
          <div className="sm:col-span-2">
            <SelectField
              label="There at the store's first scan"
              options={firstScans}
              help="For the dates of first sight. Such technologies may be older."
              {...of('first')}
            />
          </div>
        </div>
      </details>
    </fieldset>
  );
}

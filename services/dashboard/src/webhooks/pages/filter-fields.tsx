import { useContext } from 'react';
import { useFetcher } from 'react-router';
import { leastConfidences } from '../../app/components/confidences.ts';
import { FailedFormContext, SelectField, TextField } from '../../app/components/field.tsx';
import { Ticks } from '../../app/components/ticks.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import { signalLabels, signalTypes } from '../../watchlists/pages.ts';
import type { EndpointView } from '../domain/endpoint-view.ts';
import type { MatchCount as Count } from '../operations/trials.ts';
import { type Counted, MatchCount } from './match-count.tsx';

const texts = [
  { name: 'technology', member: 'technologies', label: 'Technologies', placeholder: 'klaviyo, gorgias' },
  { name: 'category', member: 'categories', label: 'Categories of technologies', placeholder: 'reviews, live-chat' },
  { name: 'platform', member: 'platforms', label: 'Platforms of stores', placeholder: 'shopify, woocommerce' },
  { name: 'country', member: 'countries', label: 'Countries of stores', placeholder: 'US, DE' },
  { name: 'industry', member: 'industries', label: 'Industries of stores', placeholder: 'apparel' },
] as const;

export const filterFields = [...texts.map(({ name }) => name), 'signal_type', 'confidence_min'];

/** The failure at the fields: that of the count, if it was asked for. What was typed stays. */
function latest(around: Partial<FailedForm> | undefined, answer: Counted | undefined): Partial<FailedForm> | undefined {
  if (!answer) return around;
  if ('problem' in answer) return { ...around, problem: answer.problem };
  return around?.values && { values: around.values };
}

/** Filters of signals, and how many events of the last 7 days match the whole form. */
export function FilterFields({ filters, count }: Pick<EndpointView, 'filters'> & { count: Count | undefined }) {
  const around = useContext(FailedFormContext);
  const fetcher = useFetcher<Counted>();
  return (
    <FailedFormContext value={latest(around, fetcher.data)}>
      <div className="grid gap-4">
        <Ticks
          legend="Kinds of changes"
          name="signal_type"
          options={signalTypes.map((type) => ({ value: type, label: signalLabels[type] }))}
          ticked={filters.signalTypes}
          className="sm:grid-cols-2"
          help="Without a tick, all kinds are sent."
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {texts.map(({ name, member, label, placeholder }) => (
            <TextField
              key={name}
              label={label}
              name={name}
              isCode
              placeholder={placeholder}
              defaultValue={filters[member].join(', ')}
            />
          ))}
          <SelectField
            label="Lowest confidence"
            name="confidence_min"
            options={leastConfidences}
            defaultValue={filters.confidenceMin}
          />
        </div>
        <p className="text-sm text-quiet">
          Enter slugs or country codes, separated by commas. An empty field filters nothing. A signal must match every
          field.
        </p>
        <MatchCount fetcher={fetcher} loaded={count} fields={filterFields} />
      </div>
    </FailedFormContext>
  );
}

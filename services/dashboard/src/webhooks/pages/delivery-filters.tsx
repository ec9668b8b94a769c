import { Form } from 'react-router';
import { SelectField, TextField } from '../../app/components/field.tsx';
import { FilterChips } from '../../app/components/filter-chips.tsx';
import { SubmitButton } from '../../app/components/form.tsx';
import { type DeliveryFilter, deliveryStates, deliveryTimes } from '../domain/delivery-filter.ts';
import { stateText } from './delivery-state.tsx';

const states = deliveryStates.map((state) => [state, stateText(state)] as const);
const times = Object.entries(deliveryTimes).map(([time, { label }]) => [time, label] as const);

export function DeliveryFilters({
  filter,
  names,
}: {
  filter: DeliveryFilter;
  names: Readonly<Record<string, string>>;
}) {
  const { webhookId, state, eventId, time } = filter;
  const webhooks = Object.entries(names);
  // A deleted endpoint has deliveries, too.
  if (webhookId !== '' && names[webhookId] === undefined) webhooks.push([webhookId, webhookId]);
  const chips = [
    { name: 'webhook', text: names[webhookId] ?? webhookId },
    { name: 'state', text: state ? stateText(state) : '' },
    { name: 'time', text: time ? deliveryTimes[time].label : '' },
    { name: 'event', text: eventId },
  ].filter(({ text }) => text !== '');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <search aria-label="Filter deliveries">
        <Form
          key={Object.values(filter).join(' ')}
          className="grid grid-cols-2 items-end gap-3 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,2fr)_auto]"
        >
          <SelectField
            label="Webhook"
            name="webhook"
            defaultValue={webhookId}
            options={[['', 'All webhooks'], ...webhooks]}
          />
          <SelectField
            label="State"
            name="state"
            defaultValue={state ?? ''}
            options={[['', 'All states'], ...states]}
          />
          <SelectField label="Time" name="time" defaultValue={time ?? ''} options={[['', 'All 30 days'], ...times]} />
          <TextField label="Event id" name="event" defaultValue={eventId} maxLength={64} placeholder="evt_…" isCode />
          <SubmitButton kind="secondary" className="justify-self-start">
            Filter
          </SubmitButton>
        </Form>
      </search>
      <FilterChips chips={chips} />
    </div>
  );
}

import { SelectField, TextField } from '../../app/components/field.tsx';

const choices = [
  ['none', 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After 365 days'],
  ['date', 'On a date'],
] as const;

/** The choice of an expiry, in the fields `expires` and `expires_on`. CSS opens the date, so it works without script. */
export function ExpiryFields({ expires, date }: { expires: string; date: string }) {
  return (
    <div className="group grid gap-3 sm:grid-cols-2">
      <SelectField
        label="Expires"
        name="expires"
        defaultValue={expires}
        help="An expired key is refused. Shopscope does not replace it."
        alias="expires_at"
        options={choices}
      />
      <div className="hidden group-has-[option[value=date]:checked]:block">
        <TextField
          label="Last day"
          name="expires_on"
          type="date"
          defaultValue={date}
          help="To the end of this day in UTC."
        />
      </div>
    </div>
  );
}

import { errorOf, SelectField, TextField } from '../../app/components/field.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';

const choices = [
  ['none', 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After 365 days'],
  ['date', 'On a date'],
] as const;

/** The choice of an expiry, in fields `expires` and `expires_on`. The date opens by CSS, so it works without script. */
export function ExpiryFields({ form, expires, date }: { form: FailedForm | undefined; expires: string; date: string }) {
  return (
    <div className="group grid gap-3 sm:grid-cols-2">
      <SelectField
        form={form}
        label="Expires"
        name="expires"
        defaultValue={expires}
        help="An expired key is refused. Shopscope does not replace it."
        error={errorOf(form, 'expires') ?? errorOf(form, 'expires_at')}
        options={choices}
      />
      <div className="hidden group-has-[option[value=date]:checked]:block">
        <TextField
          form={form}
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

import { Form, useSubmit } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { SelectField } from '../../app/components/field.tsx';
import { useHydrated } from '../../app/components/use-hydrated.ts';
import { jobStates, jobTypes, typeName } from './job-labels.tsx';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A change of a filter loads the page with it. Without script, a button does. */
export function JobFilterForm({ type, state }: { type: string | undefined; state: string | undefined }) {
  const isHydrated = useHydrated();
  const submit = useSubmit();
  return (
    <search aria-label="Filter jobs">
      <Form
        key={`${type} ${state}`}
        className="flex flex-wrap items-end gap-3"
        onChange={(event) => submit(event.currentTarget)}
      >
        <SelectField
          label="Type"
          name="type"
          defaultValue={type ?? ''}
          options={[['', 'All types'], ...jobTypes.map((each) => [each, typeName(each)] as const)]}
        />
        <SelectField
          label="State"
          name="state"
          defaultValue={state ?? ''}
          options={[['', 'All states'], ...jobStates.map((each) => [each, capital(each)] as const)]}
        />
        {!isHydrated && <Button>Filter</Button>}
      </Form>
    </search>
  );
}

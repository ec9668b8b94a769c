import { Form } from 'react-router';
import { SelectField } from '../../app/components/field.tsx';
import { SubmitButton } from '../../app/components/form.tsx';
import { jobStates, jobTypes, typeName } from './job-labels.tsx';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function JobFilterForm({ type, state }: { type: string | undefined; state: string | undefined }) {
  return (
    <search aria-label="Filter jobs">
      <Form key={`${type} ${state}`} className="flex flex-wrap items-end gap-3">
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
        <SubmitButton kind="secondary">Filter</SubmitButton>
      </Form>
    </search>
  );
}

import { useEffect, useRef } from 'react';
import { Form, Link, useLocation, useNavigate } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { FailedFormContext, SelectField, TextField } from '../../app/components/field.tsx';
import { Card } from '../../app/components/page.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { ListName } from '../../lists/domain.ts';
import { statusOf } from '../../stores/pages.ts';
import { maxClauses, type StoreFilter } from '../domain/store-filter.ts';
import { ClauseFields } from './clause-fields.tsx';
import { ListFields } from './list-fields.tsx';
import { ValuesField } from './values-field.tsx';

interface FilterFormProps {
  filter: StoreFilter;
  /** How many clauses are shown. */
  clauses: number;
  /** The lists of the workspace; undefined if they are not known. */
  lists: readonly ListName[] | undefined;
  failed: FailedForm['problem'] | undefined;
}

/** The query is counted when the person has not typed for this time. */
const restMs = 400;

const members = [
  { name: 'platform', subject: 'Platform', label: 'Platforms', placeholder: 'shopify, woocommerce' },
  { name: 'country', subject: 'Country', label: 'Countries', placeholder: 'DE, AT' },
  { name: 'industry', subject: 'Industry', label: 'Industries', placeholder: 'apparel' },
] as const;

const states = ['active_storefront', 'password_protected', 'redirected', 'parked', 'unreachable', 'closed'];

const sorts = [
  ['', 'Domain'],
  ['-last_completed_scan_at', 'Last scan, newest first'],
  ['-product_count', 'Products, most first'],
  ['-last_changed_at', 'Last change, newest first'],
] as const;

/**
 * The query as a form, which is sent as the URL of the page. With script, the URL follows what is typed, so that the count and the facets are
 * always those of the form.
 */
export function FilterForm({ filter, clauses, lists, failed }: FilterFormProps) {
  const { key, state } = useLocation();
  // The fields keep what is typed. Any other change of the URL, such as a click on a facet, is another form.
  const formKey = (state as { form?: string } | null)?.form ?? key;
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (form: HTMLFormElement, more: Record<string, string> = {}) => {
    clearTimeout(timer.current);
    const entries = [...new FormData(form)].filter(([name]) => !(name in more));
    const filled = [...entries, ...Object.entries(more)].map(([name, value]) => [name, String(value)]);
    const options = { replace: true, preventScrollReset: true, state: { form: formKey } };
    void navigate(`?${new URLSearchParams(filled.filter(([, value]) => value?.trim()))}`, options);
  };
  const rest = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => show(form), restMs);
  };
  return (
    <Card>
      <Form
        key={formKey}
        aria-label="Query"
        className="grid gap-5"
        onChange={({ currentTarget }) => rest(currentTarget)}
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent as SubmitEvent;
          const button = submitter as HTMLButtonElement | null;
          show(event.currentTarget, button?.name ? { [button.name]: button.value } : {});
        }}
      >
        <FailedFormContext value={failed && { problem: failed }}>
          <fieldset className="grid gap-3">
            <legend className="mb-2 text-lg">Technologies</legend>
            {Array.from({ length: clauses }, (_, n) => `c${n + 1}`).map((name, n) => (
              <ClauseFields key={name} name={name} number={n + 1} filter={filter} />
            ))}
            <input type="hidden" name="clauses" value={clauses > 1 ? clauses : ''} />
            {clauses < maxClauses && (
              <div>
                <Button name="clauses" value={clauses + 1} formNoValidate>
                  Add a clause
                </Button>
              </div>
            )}
          </fieldset>
          <fieldset className="grid gap-3">
            <legend className="mb-2 text-lg">Stores</legend>
            {members.map(({ subject, ...member }) => (
              <ValuesField
                key={member.name}
                {...member}
                value={filter[member.name]}
                choice={{
                  label: subject,
                  name: `${member.name}_is`,
                  value: filter[`${member.name}_is`],
                  options: [
                    ['', 'is one of'],
                    ['none', 'is none of'],
                  ],
                }}
              />
            ))}
            <div className="grid gap-3 sm:grid-cols-2">
              <SelectField
                label="Status"
                name="status"
                defaultValue={filter.status === 'active_storefront' ? '' : filter.status}
                options={states.map((each, n) => [n === 0 ? '' : each, statusOf(each).word] as const)}
              />
              <TextField label="Last scan since" type="date" name="scanned_from" defaultValue={filter.scanned_from} />
              <TextField
                label="Products, at least"
                name="products_min"
                inputMode="numeric"
                defaultValue={filter.products_min}
                placeholder="100"
              />
              <TextField
                label="Products, at most"
                name="products_max"
                inputMode="numeric"
                defaultValue={filter.products_max}
                placeholder="5000"
              />
            </div>
          </fieldset>
          <details open={Object.keys(filter).some((name) => name.startsWith('moved_') || name.startsWith('list'))}>
            <summary className="cursor-pointer rounded font-medium">Change of platform, lists</summary>
            <div className="mt-3 grid gap-3 sm:grid-cols-2">
              <TextField label="Platform before" name="moved_from" isCode defaultValue={filter.moved_from} />
              <TextField label="Platform after" name="moved_to" isCode defaultValue={filter.moved_to} />
              <TextField label="Changed since" type="date" name="moved_since" defaultValue={filter.moved_since} />
              <TextField label="Changed until" type="date" name="moved_until" defaultValue={filter.moved_until} />
            </div>
            <ListFields filter={filter} lists={lists} />
          </details>
          <SelectField label="Order of rows" name="sort" defaultValue={filter.sort} options={sorts} />
        </FailedFormContext>
        <div className="flex flex-wrap items-center gap-4">
          <Button>Apply</Button>
          <Link to="?" className="link">
            Clear
          </Link>
        </div>
      </Form>
    </Card>
  );
}

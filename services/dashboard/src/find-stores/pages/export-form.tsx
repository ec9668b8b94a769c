import { useNavigation } from 'react-router';
import { SelectField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { Allowance } from '../../usage/pages.ts';
import type { StoreCount } from '../domain/answers.ts';
import { type ExportFile, exportUnits, maxExportRows } from '../domain/export-request.ts';
import type { StoreFilter } from '../domain/store-filter.ts';
import { amountText } from './count-result.tsx';
import { type Shown, ShownFields } from './shown.tsx';
import { billText } from './units-text.ts';

interface ExportFormProps {
  token: string;
  filter: StoreFilter;
  count: StoreCount;
  shown: Shown;
  isOff: boolean;
  allowance: Allowance;
  failed: FailedForm | undefined;
}

const files: readonly (readonly [ExportFile, string])[] = [
  ['csv', 'CSV'],
  ['hubspot', 'CSV for HubSpot companies'],
  ['salesforce', 'CSV for Salesforce accounts'],
  ['ndjson', 'NDJSON, with whole profiles'],
];

/** Exports all stores of a counted query, after it has said what this bills. The job's page has the file. */
export function ExportForm({ token, filter, count, shown, isOff, allowance, failed }: ExportFormProps) {
  const isBusy = useNavigation().state !== 'idle';
  const { total, mostRows: rows } = count;
  if (rows === 0) return null;
  if (rows > maxExportRows) {
    const most = formatNumber(maxExportRows);
    return <p className="text-sm text-quiet">An export has at most {most} stores. Add conditions to export these.</p>;
  }
  const units = exportUnits(filter, rows);
  const { left } = allowance;
  const isTooMuch =
    left !== undefined && (units.lookup_cached > left.lookup_cached || units.history_query > left.history_query);
  return (
    <PostForm className="grid gap-2 rounded-[6px] border bg-raised p-4" intent="export" failed={failed} hasOwnNotice>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="rows" value={rows} />
      <ShownFields {...shown} />
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-48 grow">
          <SelectField label="File with all of them" name="file" options={files} />
        </div>
        <SubmitButton kind="secondary" busy="Starting…" disabled={isOff || isBusy}>
          Export {amountText(total)} {rows === 1 ? 'store' : 'stores'}
        </SubmitButton>
      </div>
      <p className="text-sm text-quiet">
        {billText(units)} {isTooMuch && <span className="text-warning">That is more than what is left. </span>}
        You download the file from the page of the job, which can also save the stores as a list.
      </p>
    </PostForm>
  );
}

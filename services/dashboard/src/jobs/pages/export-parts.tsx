import { Download } from 'lucide-react';
import { ButtonLink } from '../../app/components/button.tsx';
import { TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Section } from '../../app/components/page.tsx';
import { plainWords, TrailPaging, trailCursorOf } from '../../app/components/paging.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { ExportPart } from '../operations/jobs.ts';
import { hasEnded } from './job-labels.tsx';
import type { JobStatus } from './load-job.ts';

/** The parts of an export, to download. */
export function ExportParts({ status, trail, path }: { status: JobStatus; trail: readonly string[]; path: string }) {
  const { job, parts } = status;
  const isOver = hasEnded(job);
  return (
    <Section title="Parts" note="In their order they are the file. Downloads bill nothing">
      {!parts || parts.parts.length === 0 ? (
        <p className="text-quiet">{isOver ? 'The export has no rows.' : 'There are no parts yet.'}</p>
      ) : (
        <Table label="Parts" columns={columns(path)} rows={parts.parts} keyOf={({ part }) => String(part)} />
      )}
      <TrailPaging
        label="Pages of parts"
        name="page"
        trail={trail}
        older={parts?.next && trailCursorOf(parts.next)}
        words={plainWords}
      />
    </Section>
  );
}

const columns = (path: string): Column<ExportPart>[] => [
  { header: 'Part', cell: ({ part }) => <span className="font-medium">Part {part}</span> },
  { header: 'Rows', align: 'right', cell: ({ rows }) => <span className="amount">{formatNumber(rows)}</span> },
  { header: 'Bytes', align: 'right', cell: ({ bytes }) => <span className="amount">{formatNumber(bytes)}</span> },
  {
    header: 'SHA-256',
    wideOnly: true,
    cell: ({ sha256 }) => <span className="code text-sm [overflow-wrap:anywhere]">{sha256}</span>,
  },
  {
    header: 'Download',
    hideHeader: true,
    align: 'right',
    cell: ({ part }) => (
      <ButtonLink to={`${path}/parts/${part}`} reloadDocument aria-label={`Download part ${part}`}>
        <Download aria-hidden className="size-4" />
        Download
      </ButtonLink>
    ),
  },
];

/** Makes a list of the stores of an export. The file is there already, so it bills nothing. */
export const SaveAsList = ({ token, failed }: { token: string; failed: FailedForm | undefined }) => (
  <Section title="Save as a list">
    <PostForm className="grid max-w-80 gap-2" intent="save" failed={failed} fields={['name']}>
      <input type="hidden" name="token" value={token} />
      <TextField
        label="Name of the list"
        name="name"
        required
        maxLength={200}
        help="It can have 10,000 stores. You see them before they are added. This bills nothing."
      />
      <div>
        <SubmitButton kind="secondary" busy="Reading…">
          Save as list
        </SubmitButton>
      </div>
    </PostForm>
  </Section>
);

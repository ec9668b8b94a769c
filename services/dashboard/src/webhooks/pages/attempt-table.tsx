import { Quiet } from '../../app/components/page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import type { AttemptView } from '../domain/endpoint-view.ts';
import { AttemptStatus, attemptErrorText } from './attempt.tsx';
import { TextBlock } from './text-block.tsx';

type Row = AttemptView & { number: number };

/** The attempts, the latest first. */
export const AttemptTable = ({ attempts }: { attempts: readonly AttemptView[] }) => (
  <Table
    label="Attempts"
    columns={columns}
    rows={attempts.map((attempt, at) => ({ ...attempt, number: at + 1 })).reverse()}
    keyOf={({ number }) => String(number)}
  />
);

const columns: Column<Row>[] = [
  {
    header: 'Time',
    className: 'md:whitespace-nowrap md:align-top',
    cell: ({ atMs }) => <Time ms={atMs} as="second" />,
  },
  { header: 'Result', className: 'md:align-top', cell: (attempt) => <AttemptStatus status={attempt.status} /> },
  {
    header: 'Latency',
    align: 'right',
    className: 'md:align-top',
    cell: ({ latencyMs }) => <span className="amount whitespace-nowrap">{`${latencyMs.toLocaleString('en')} ms`}</span>,
  },
  { header: 'Response', className: 'md:w-1/2', cell: (attempt) => <Excerpt attempt={attempt} /> },
];

/** The beginning of the response. It is a text of a foreign server, so it is only ever shown as text. */
function Excerpt({ attempt: { bodyExcerpt, status, error, number } }: { attempt: Row }) {
  if (status === undefined) return attemptErrorText(error);
  if (bodyExcerpt === '') return <Quiet>empty</Quiet>;
  return <TextBlock label={`Response of attempt ${number}`} text={bodyExcerpt} className="max-h-40" />;
}

import { Link } from 'react-router';
import type { FailedForm } from '../pages/page-failure.ts';
import { Button } from './button.tsx';
import { ForeignText } from './foreign-text.tsx';
import { PostForm } from './form.tsx';
import { Quiet } from './page.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';

interface MemberStore {
  readonly domain: string;
  readonly external_id: string | null;
  readonly added_at: string;
}

/** The stores of one page of a list or a watchlist, with a box to tick for each. */
export function MemberStores(props: {
  stores: readonly MemberStore[];
  storesPath: string;
  failed: FailedForm | undefined;
}) {
  const { stores, storesPath, failed } = props;
  return (
    <PostForm intent="remove" failed={failed} fields={[]} className="grid gap-3">
      <Table label="Stores" columns={columns(storesPath)} rows={stores} keyOf={({ domain }) => domain} />
      <p>
        <Button kind="danger">Remove the ticked stores</Button>
      </p>
    </PostForm>
  );
}

const columns = (storesPath: string): Column<MemberStore>[] => [
  {
    header: 'Domain',
    className: 'md:w-[40%]',
    cell: ({ domain }) => (
      <label className="flex min-w-0 items-center gap-3">
        <input type="checkbox" name="stores" value={domain} className="size-4 shrink-0 accent-accent" />
        <Link
          to={`${storesPath}?${new URLSearchParams({ domain })}`}
          className="code rounded font-medium [overflow-wrap:anywhere] hover:underline"
        >
          {domain}
        </Link>
      </label>
    ),
  },
  {
    header: 'Your id',
    className: 'md:w-[35%]',
    cell: ({ external_id }) =>
      external_id === null ? <Quiet>none</Quiet> : <ForeignText text={external_id} max={80} />,
  },
  { header: 'Added', cell: ({ added_at }) => <Time ms={Date.parse(added_at)} /> },
];

import { Link } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { TextAreaField, TextField } from '../../app/components/field.tsx';
import { ForeignText } from '../../app/components/foreign-text.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { Quiet } from '../../app/components/page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { WatchedStore, Watchlist } from '../operations/watchlists.ts';
import { DeleteWatchlistLink } from './delete-watchlist-form.tsx';
import { maxPasted, WatchedFields } from './watchlist-fields.tsx';

interface Failing {
  failed: FailedForm | undefined;
}

/** The stores of one page, with a box to tick for each. */
export function WatchedStores(props: Failing & { stores: readonly WatchedStore[]; storesPath: string }) {
  const { stores, storesPath, failed } = props;
  return (
    <PostForm intent="remove" failed={failed} className="grid gap-3">
      <Table label="Stores" columns={columns(storesPath)} rows={stores} keyOf={({ domain }) => domain} />
      <p>
        <Button kind="danger">Remove the ticked stores</Button>
      </p>
    </PostForm>
  );
}

const columns = (storesPath: string): Column<WatchedStore>[] => [
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

export function AddStores({ failed }: Failing) {
  return (
    <PostForm intent="add" failed={failed} fields={['domains']} className="grid gap-4 lg:max-w-[68ch]">
      <TextAreaField
        label="Domains"
        name="domains"
        required
        rows={4}
        maxLength={maxPasted}
        spellCheck={false}
        autoCapitalize="off"
        className="font-mono"
        placeholder={'shop.example\nother.example'}
        help="One per line, or a table with a column for your own ids."
      />
      <p>
        <Button>Add the stores</Button>
      </p>
    </PostForm>
  );
}

export function WatchlistSettings({ watchlist, path, failed }: Failing & { watchlist: Watchlist; path: string }) {
  return (
    <div className="grid gap-6 lg:max-w-[68ch]">
      <PostForm
        key={watchlist.updated_at}
        intent="change"
        failed={failed}
        fields={['name', 'signal_types', 'technologies']}
      >
        <TextField label="Name" name="name" required maxLength={100} defaultValue={watchlist.name} />
        <WatchedFields types={watchlist.signal_types} technologies={watchlist.technologies} />
        <p>
          <Button>Save</Button>
        </p>
      </PostForm>
      <p>
        <DeleteWatchlistLink watchlist={watchlist} path={path} kind="danger" />
      </p>
    </div>
  );
}

import { Link } from 'react-router';
import { Button } from '../../app/components/button.tsx';
import { TextField } from '../../app/components/field.tsx';
import { ForeignText } from '../../app/components/foreign-text.tsx';
import { PostForm } from '../../app/components/form.tsx';
import { Quiet } from '../../app/components/page.tsx';
import { type Column, Table } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { List, ListedStore } from '../operations/lists.ts';
import { DeleteListLink } from './delete-list-form.tsx';

interface Failing {
  failed: FailedForm | undefined;
}

/** The stores of one page, with a box to tick for each. */
export function ListStores(props: Failing & { stores: readonly ListedStore[]; path: string; storesPath: string }) {
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

const columns = (storesPath: string): Column<ListedStore>[] => [
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

export function AddStore({ failed }: Failing) {
  return (
    <PostForm intent="add" failed={failed} fields={['domain', 'external_id']}>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:max-w-[68ch]">
        <TextField label="Domain" name="domain" required isCode inputMode="url" placeholder="shop.example" />
        <TextField label="Your id" name="external_id" maxLength={200} help="Optional, at most 200 characters." />
      </div>
      <p>
        <Button>Add the store</Button>
      </p>
    </PostForm>
  );
}

export function ListSettings({ list, path, failed }: Failing & { list: List; path: string }) {
  return (
    <div className="grid gap-6 lg:max-w-[68ch]">
      <PostForm intent="rename" failed={failed} fields={['name']}>
        <TextField key={list.name} label="Name" name="name" required maxLength={200} defaultValue={list.name} />
        <p>
          <Button>Rename</Button>
        </p>
      </PostForm>
      <p>
        <DeleteListLink list={list} path={path} kind="danger" />
      </p>
    </div>
  );
}

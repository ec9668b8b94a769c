import { Button } from '../../app/components/button.tsx';
import { TextField } from '../../app/components/field.tsx';
import { PostForm } from '../../app/components/form.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { List } from '../operations/lists.ts';
import { DeleteListLink } from './delete-list-form.tsx';

interface Failing {
  failed: FailedForm | undefined;
}

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

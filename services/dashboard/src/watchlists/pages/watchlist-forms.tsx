import { Button } from '../../app/components/button.tsx';
import { TextAreaField, TextField } from '../../app/components/field.tsx';
import { PostForm } from '../../app/components/form.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { Watchlist } from '../operations/watchlists.ts';
import { DeleteWatchlistLink } from './delete-watchlist-form.tsx';
import { maxPasted, WatchedFields } from './watchlist-fields.tsx';

interface Failing {
  failed: FailedForm | undefined;
}

export function AddStores({ failed, isPrimary }: Failing & { isPrimary: boolean }) {
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
        <Button kind={isPrimary ? 'primary' : 'secondary'}>Add the stores</Button>
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
        <TextField label="Name" name="name" required maxLength={200} defaultValue={watchlist.name} />
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

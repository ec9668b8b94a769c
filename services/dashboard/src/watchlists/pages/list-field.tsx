import { useContext, useState } from 'react';
import { FailedFormContext, SelectField, TextField } from '../../app/components/field.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { useHydrated } from '../../app/components/use-hydrated.ts';

interface ListFieldProps {
  /** All lists of the workspace, by name. */
  lists: readonly { id: string; name: string; store_count: number }[];
  /** The id of the list that is chosen at first; empty: none. */
  chosen: string;
}

/** More lists are easier to find by a part of their name. */
const maxUnsearched = 10;

/** The list whose stores a watchlist copies. With script, a text narrows a long choice. */
export function ListField({ lists, chosen }: ListFieldProps) {
  const isHydrated = useHydrated();
  const failed = useContext(FailedFormContext);
  const [listId, setListId] = useState(failed?.values?.list_id ?? chosen);
  const [words, setWords] = useState('');
  const searched = words.trim().toLowerCase();
  const shown = lists.filter(({ id, name }) => id === listId || name.toLowerCase().includes(searched));
  return (
    <div className="grid gap-3">
      {isHydrated && lists.length > maxUnsearched && (
        <TextField
          label="Find a list"
          type="search"
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          placeholder="A part of its name"
          help={searched === '' ? undefined : `${formatNumber(shown.length)} of ${formatNumber(lists.length)} lists`}
        />
      )}
      <SelectField
        label="Stores of a list"
        name="list_id"
        value={listId}
        onChange={({ target }) => setListId(target.value)}
        options={[
          ['', 'No list'],
          ...shown.map(({ id, name, store_count }) => [id, `${name} (${formatNumber(store_count)})`] as const),
        ]}
        help="Its stores are copied as they are now, with your ids."
      />
    </div>
  );
}

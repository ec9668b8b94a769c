import { isolated } from '@shopscope/text';
import { SelectField } from '../../app/components/field.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Ticks } from '../../app/components/ticks.tsx';
import type { ListName } from '../../lists/domain.ts';
import { type StoreFilter, valuesOf } from '../domain/store-filter.ts';

/** A choice of the workspace's lists. A list of the query that is not among them keeps its place. */
export function ListFields({ filter, lists }: { filter: StoreFilter; lists: readonly ListName[] | undefined }) {
  const chosen = valuesOf(filter.list);
  const known = (lists ?? []).map(({ id, name, store_count }) => ({
    value: id,
    label: isolated(name),
    text: `${formatNumber(store_count)} ${store_count === 1 ? 'store' : 'stores'}`,
  }));
  const others = chosen
    .filter((id) => !known.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: id }));
  const options = [...others, ...known];
  if (options.length === 0) {
    const why = lists ? 'The workspace has no lists.' : 'The lists of the workspace are not known right now.';
    return <p className="mt-3 text-sm text-quiet">{why}</p>;
  }
  return (
    <div className="mt-3 grid gap-3">
      <SelectField
        label="Store"
        name="list_is"
        defaultValue={filter.list_is}
        options={[
          ['', 'is on one of the ticked lists'],
          ['none', 'is on none of the ticked lists'],
        ]}
      />
      <Ticks legend="Lists" name="list" options={options} ticked={chosen} className="max-h-60 overflow-y-auto" />
    </div>
  );
}

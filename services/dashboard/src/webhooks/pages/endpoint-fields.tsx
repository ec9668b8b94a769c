import type { ReactNode } from 'react';
import { TextAreaField, TextField } from '../../app/components/field.tsx';
import { Notice } from '../../app/components/page.tsx';
import { Ticks } from '../../app/components/ticks.tsx';
import type { EndpointView } from '../domain/endpoint-view.ts';
import type { MatchCount } from '../operations/trials.ts';
import type { EventType } from './event-catalogue.server.ts';
import { FilterFields, filterFields } from './filter-fields.tsx';
import { UrlField } from './url-field.tsx';

export type EndpointDraft = Pick<
  EndpointView,
  'url' | 'description' | 'eventTypes' | 'watchlistIds' | 'filters' | 'maxPerMinute' | 'headerNames'
>;

/** The fields whose problems are shown at them. */
export const endpointFields = [
  ...filterFields,
  ...['url', 'description', 'event_types', 'watchlist_ids', 'max_per_minute', 'secret_headers'],
];

/** The fields of the forms that create and change a webhook. */
export function EndpointFields(props: {
  draft: EndpointDraft;
  events: readonly EventType[];
  /** Undefined: they could not be read, and the stored choice stays. */
  watchlists: readonly { id: string; name: string }[] | undefined;
  count: MatchCount | undefined;
}) {
  const { draft, events, watchlists, count } = props;
  return (
    <>
      <Part title="Receiver">
        <UrlField url={draft.url} />
        <TextField
          label="Description"
          name="description"
          maxLength={500}
          defaultValue={draft.description}
          help="Optional. A name of your own, for example “Production CRM”."
        />
      </Part>
      <Part title="Events">
        <Ticks
          legend="Types of events"
          name="event_types"
          options={events.map(({ type, text }) => ({ value: type, label: <span className="code">{type}</span>, text }))}
          ticked={draft.eventTypes}
          className="lg:grid-cols-2"
        />
        <Watchlists watchlists={watchlists} chosen={draft.watchlistIds} />
      </Part>
      <Part title="Filters of signals" note="They narrow the signals of stores, and no other events.">
        <FilterFields filters={draft.filters} count={count} />
      </Part>
      <Part title="Delivery">
        <TextField
          label="Largest number of messages a minute"
          name="max_per_minute"
          inputMode="numeric"
          className="amount max-w-[160px]"
          defaultValue={draft.maxPerMinute ?? ''}
          help="Optional, 1 to 6,000. Repeated attempts count. Without a number, there is no bound."
        />
        <TextAreaField
          label="Headers"
          name="secret_headers"
          rows={3}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          className="font-mono"
          placeholder="Authorization: Bearer …"
          help={<HeadersHelp names={draft.headerNames} />}
        />
        {draft.headerNames.length > 0 && (
          <label className="flex min-h-8 items-center gap-3 md:min-h-7">
            <input type="checkbox" name="remove_headers" value="yes" className="size-4 shrink-0 accent-accent" />
            Remove the stored headers
          </label>
        )}
      </Part>
    </>
  );
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 border-t pt-5">
      <div className="grid gap-1">
        <h2 className="text-base">{title}</h2>
        {note && <p className="text-sm text-quiet">{note}</p>}
      </div>
      {children}
    </section>
  );
}

function HeadersHelp({ names }: { names: readonly string[] }) {
  if (names.length === 0) {
    return 'Optional, one per line, at most 10. They are sent with every message, and never shown again.';
  }
  return (
    <>
      Stored: <span className="code">{names.join(', ')}</span>. Their values are never shown. An empty field keeps them;
      new lines replace all of them.
    </>
  );
}

function Watchlists(props: { watchlists: readonly { id: string; name: string }[] | undefined; chosen: string[] }) {
  const { watchlists, chosen } = props;
  const known = new Set(watchlists?.map(({ id }) => id));
  // A watchlist that was deleted stays chosen until its tick is removed.
  const rest = chosen.filter((id) => !known.has(id));
  const options = [
    ...(watchlists ?? []).map(({ id, name }) => ({ value: id, label: <bdi>{name}</bdi> })),
    ...rest.map((id) => ({ value: id, label: <span className="code">{id}</span> })),
  ];
  return (
    <>
      {!watchlists && <Notice kind="warning">The names of the watchlists could not be read.</Notice>}
      {options.length > 0 && (
        <Ticks
          legend="Watchlists"
          name="watchlist_ids"
          options={options}
          ticked={chosen}
          className="max-h-[200px] overflow-y-auto sm:grid-cols-2"
          help="Without a tick, the events of every watchlist are sent, and those of none."
        />
      )}
    </>
  );
}

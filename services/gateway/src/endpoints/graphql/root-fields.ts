import type { Scope } from '@shopscope/proto';
import { validate } from '../../http/input/validation.ts';
import type { Caller } from '../../keys/caller.ts';
import { requireBatchSize } from '../enrich-stores/enrich-stores.ts';
import { storeParams } from '../get-store/contract.ts';
import { readJobs } from '../jobs/job-pages.ts';
import { readHistory, searchPage } from '../signals/query-signals.ts';
import { pageOfTechnologies, technologyCursor } from '../technologies/technologies.ts';
import { queryTextsOf } from './arguments.ts';
import { pageFields } from './page-fields.ts';
import { connectionOf } from './page-sources.ts';
import { checkInput, free, lookUp, nothing, type PreparedField, readSignals } from './prepared-field.ts';
import type { Source } from './source.ts';

/** A field of Query. It calls the REST operation that has its data, and needs the scope of that operation. */
interface RootField {
  scope?: Scope;
  /** Returns a further scope that the arguments need. */
  argumentScope?(args: Arguments): Scope | undefined;
  /** Throws invalid_request for an argument that REST refuses. */
  prepare(args: Arguments, caller: Caller): PreparedField;
}

type Arguments = Readonly<Record<string, unknown>>;

export const rootFields: Readonly<Record<string, RootField>> = {
  store: {
    scope: 'read:stores',
    prepare({ domain }) {
      const input = String(domain);
      checkInput('domain', input);
      return lookUp([input], ([result]) => result);
    },
  },
  stores: {
    scope: 'read:stores',
    prepare({ domains }, { plan }) {
      const inputs = domains as readonly string[];
      requireBatchSize(plan, inputs.length);
      for (const [index, input] of inputs.entries()) checkInput(`domains[${index}]`, input);
      return lookUp(inputs, (results) => results);
    },
  },
  history: {
    scope: 'read:signals',
    prepare({ domain, ...args }) {
      const query = validate(pageFields.history.query, queryTextsOf(args), 'query');
      const { domain: input } = validate(storeParams, { domain }, 'path');
      const read = ({ deps, request }: Source) => readHistory(deps, request, { ...query, input });
      return { ...readSignals(query, { read, isNullable: true }), histories: [input] };
    },
  },
  signals: {
    scope: 'read:signals',
    argumentScope: ({ list_id }) => (typeof list_id === 'string' ? 'read:watchlists' : undefined),
    prepare(args) {
      const query = validate(pageFields.signals.query, queryTextsOf(args), 'query');
      return readSignals(query, { read: ({ deps, request }) => searchPage(deps, request, query), isNullable: false });
    },
  },
  technologies: {
    scope: 'read:stores',
    prepare(args) {
      const query = validate(pageFields.technologies.query, queryTextsOf(args), 'query');
      return {
        ...nothing,
        nodes: query.limit,
        pages: 1,
        async read({ deps, request: { caller, origin, deadline }, inTurn }) {
          const { workspaceId } = caller;
          const page = await inTurn(() => pageOfTechnologies(deps, query, { workspaceId, origin, deadline }));
          const cursorAt = (index: number) => technologyCursor(deps.cursors, query, page.data[index]?.slug ?? '');
          return free(connectionOf({ ...page, cursorAt }, query.cursor));
        },
      };
    },
  },
  jobs: {
    scope: 'read:jobs',
    prepare(args) {
      const query = validate(pageFields.jobs.query, queryTextsOf(args), 'query');
      return {
        ...nothing,
        nodes: query.limit,
        pages: 1,
        async read({ deps, request, inTurn }) {
          const page = await inTurn(() => readJobs(deps, request, query));
          const cursorAt = (index: number) => page.cursorAfter(index + 1);
          return free(connectionOf({ ...page, cursorAt }, query.cursor));
        },
      };
    },
  },
  job: {
    scope: 'read:jobs',
    prepare({ id }) {
      const jobId = String(id);
      return { ...nothing, jobIds: [jobId], read: async ({ jobs }) => free((await jobs).get(jobId) ?? null) };
    },
  },
  account: { prepare: () => ({ ...nothing, read: async ({ account }) => free(await account()) }) },
  usage: { prepare: () => ({ ...nothing, read: async ({ usage }) => free(await usage()) }) },
};

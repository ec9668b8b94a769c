import { maxInputLength } from '@shopscope/domain-name';
import { z } from 'zod';
import { cursor, domain, lineOfText, named, openEnum, pageLimit, pageOf, timestamp } from '../../contract/schemas.ts';

/** The parts of the contract that lists and watchlists share: both are groups of stores. */

/** The maximum number of stores of one request. subscriptions has the same bound. */
export const maxStoresPerCall = 2_000;

export const groupName = () => lineOfText(200);
export const groupTimes = {
  created_at: timestamp(),
  updated_at: timestamp().describe('ISO 8601, UTC: the latest change of its members or of its stores'),
};
export const groupPageQuery = z.strictObject({ cursor: cursor(), limit: pageLimit() });

const input = () => z.string().max(maxInputLength);
const inputs = () => z.array(input()).min(1).max(maxStoresPerCall);
const externalId = () => lineOfText(200).nullable();
export const storesAdd = named(
  'StoresAdd',
  z.strictObject({
    stores: z
      .array(
        z.strictObject({
          domain: input().describe('A host name or an http(s) URL'),
          external_id: externalId()
            .optional()
            .describe(
              'Your own id of the store. Absent: a store that is present keeps its id. null: it loses its id. The id must be in Unicode NFC, ' +
                'without spaces at its ends, two spaces in a row or invisible characters. An id that breaks this rule refuses the whole call.',
            ),
        }),
      )
      .min(1)
      .max(maxStoresPerCall)
      .optional()
      .describe('In place of domains'),
    domains: inputs().optional().describe('Host names or http(s) URLs, in place of stores'),
  }),
);
export const storesRemove = named('StoresRemove', z.strictObject({ domains: inputs() }));

const addMeanings = {
  added: 'the store is new',
  present: 'the list or watchlist had the store already. If the request has an external_id, the store has it now',
  invalid_domain: 'the input has no registrable domain',
};
const removeMeanings = {
  removed: 'the store was removed',
  absent: 'the list or watchlist did not have the store',
  invalid_domain: addMeanings.invalid_domain,
};
const namesOf = <Name extends string>(meanings: Readonly<Record<Name, string>>) => Object.keys(meanings) as Name[];
const resultsOf = <Name extends string>(meanings: Readonly<Record<Name, string>>) =>
  z.object({
    results: z
      .array(
        z.object({
          input: z.string().describe('The input as sent'),
          domain: domain().nullable().describe('null with invalid_domain'),
          result: openEnum(namesOf(meanings), { meanings }),
        }),
      )
      .describe('Same order and length as the request'),
  });

export const storesAdded = named('StoresAdded', resultsOf(addMeanings));
export const storesRemoved = named('StoresRemoved', resultsOf(removeMeanings));

export const memberStore = named(
  'MemberStore',
  z.object({
    domain: domain(),
    external_id: externalId().describe('Your own id of the store; null without one'),
    added_at: timestamp(),
  }),
);
export const memberStorePage = pageOf('MemberStorePage', memberStore);

export const exampleTime = '2026-01-15T12:00:00.000Z';
export const exampleTimes = { created_at: exampleTime, updated_at: exampleTime };
export const exampleStores = {
  request: { stores: [{ domain: 'https://www.shop.example/', external_id: 'crm-1042' }, { domain: 'localhost' }] },
  added: {
    results: [
      { input: 'https://www.shop.example/', domain: 'shop.example', result: 'added' },
      { input: 'localhost', domain: null, result: 'invalid_domain' },
    ],
  },
  removeRequest: { domains: ['shop.example', 'other.example'] },
  removed: {
    results: [
      { input: 'shop.example', domain: 'shop.example', result: 'removed' },
      { input: 'other.example', domain: 'other.example', result: 'absent' },
    ],
  },
  page: {
    data: [{ domain: 'shop.example', external_id: 'crm-1042', added_at: exampleTime }],
    next_cursor: null,
  },
} as const;

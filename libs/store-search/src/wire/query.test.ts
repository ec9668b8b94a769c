import * as proto from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { randomQuery } from '../../test/queries.ts';
import { randomOf } from '../../test/random.ts';
import { parsedQuery } from '../../test/requests.ts';
import { decodeQuery } from './decode-query.ts';
import { encodeQuery } from './encode-query.ts';

const sent = (query: proto.StoreQuery) => proto.StoreQuery.decode(proto.StoreQuery.encode(query).finish());

describe('queries between services', () => {
  it('a query is the same after encoding and decoding', () => {
    const random = randomOf(7);
    for (let n = 0; n < 2_000; n++) {
      const query = parsedQuery(randomQuery(random));
      expect(decodeQuery(sent(encodeQuery(query)))).toEqual(query);
    }
  });

  it('a query without a status, with an unknown order, or with half a clause is refused', () => {
    const query = encodeQuery(parsedQuery({}));
    const clause = proto.TechnologyClause.fromPartial({ quantifier: proto.Quantifier.ANY });
    for (const wrong of [undefined, { ...query, status: undefined }, { ...query, sort: 'name' }])
      expect(() => decodeQuery(wrong)).toThrow(/query/);
    expect(() => decodeQuery({ ...query, technologies: [clause] })).toThrow(/clause/);
  });
});

import { Binary, BSON, ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { copyDocument } from './copy-document.ts';

const document = {
  _id: 'chg_01kpzs3v8ch5m3t8jq4x2n7d6f/1/1',
  workspaceId: 'ws_01kpzs3v8ch5m3t8jq4x2n7d6f',
  domain: 'northwind-tea.example',
  host: 'shop.northwind-tea.example',
  demo: 'shopscope-demo.myshopify.com',
  again: 'northwind-tea.example',
  operation: 'enrichStores',
  at: new Date(1_700_000_000_000),
  units: { lookupCached: 3 },
  key: new ObjectId('0123456789abcdef01234567'),
  fingerprint: new Binary(Buffer.alloc(32)),
  body: new Binary(Buffer.alloc(1_000)),
};

describe('copyDocument', () => {
  it('a copied document has the size of the original and other identifiers', () => {
    const copy = copyDocument(document);
    expect(BSON.calculateObjectSize(copy)).toBe(BSON.calculateObjectSize(document));
    for (const name of ['_id', 'workspaceId', 'domain', 'demo', 'at', 'key', 'fingerprint'] as const)
      expect(copy[name]).not.toEqual(document[name]);
    expect(copy._id).toMatch(/^chg_[a-z\d]{26}\/1\/1$/);
    expect(copy.again).toBe(copy.domain);
  });

  it('a copied document keeps everything that is not an identifier', () => {
    const { operation, units, body } = copyDocument(document);
    expect({ operation, units, body }).toEqual({
      operation: 'enrichStores',
      units: { lookupCached: 3 },
      body: document.body,
    });
  });
});

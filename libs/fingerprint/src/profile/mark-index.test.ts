import { describe, expect, it } from 'vitest';
import { addressMarks, carrierMarks, domesticShipping, habitMarks, registerMarks } from './country-marks.ts';
import { MarkIndex } from './mark-index.ts';

const marks = [...registerMarks, ...domesticShipping, ...carrierMarks, ...habitMarks, ...addressMarks];

/** Texts that marks match: each alternative of an expression is read as far as it is plain text. */
const texts = [
  'VAT DE 123 456 789, Amtsgericht Köln HRB 12345',
  'USt-IdNr. ATU12345678',
  'NIP: 123-456-78-90, REGON: 123456789, InPost',
  'ЄДРПОУ: 12345678 НОВА ПОШТА',
  'ИНН 7701234567, Почта России',
  '特定商取引法に基づく表記 ヤマト運輸',
  '사업자 등록 번호',
  'MERSİS 0123 · Yurtiçi Kargo',
  'Libro de Reclamaciones · RUC 20123456789',
  '© 2024 Northwind LLC, free shipping within the continental United States',
  '12 Main St, Austin, TX 78701',
  'ABN 12 345 678 901 · australia post',
  'Αρ. ΓΕΜΗ: 123456789000',
  'Nothing of all this',
  '',
];

describe('mark index', () => {
  it.each(texts)('a mark index finds in %j what the expressions find alone', (text) => {
    const alone = marks.filter(({ form }) => form.test(text));
    expect(new MarkIndex(marks).matching(text)).toEqual(alone);
  });

  it('a mark index finds the same far from the ends of a long text', () => {
    const filler = ' and more words of a long page,'.repeat(40);
    const text = texts.map((one) => `${filler}\n${one}\n${filler}`).join('\n');
    const alone = marks.filter(({ form }) => form.test(text));
    expect(alone.length).toBeGreaterThan(10);
    expect(new MarkIndex(marks).matching(text)).toEqual(alone);
  });

  it('a mark index does not take the start of the searched part for the start of a word', () => {
    const index = new MarkIndex([{ form: /\bES\d/ }]);
    expect(index.matching('xES1 ES- and more')).toEqual([]);
  });

  it('a mark index runs few expressions on ordinary text', () => {
    let runs = 0;
    const counted = marks.map((mark) => ({
      ...mark,
      form: Object.assign(new RegExp(mark.form), { test: () => ++runs < 0 }),
    }));
    new MarkIndex(counted).matching('We sell tea. Add to cart, read our blog, contact us.');
    expect(runs).toBeLessThan(marks.length / 3);
  });
});

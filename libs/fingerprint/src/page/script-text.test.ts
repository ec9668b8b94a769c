import { describe, expect, it } from 'vitest';
import { isInString, readScripts } from './script-text.ts';

const codeOf = (script: string): string => readScripts([script]).code;
const stringsOf = (script: string): string[] => {
  const { code, strings } = readScripts([script]);
  return strings.flatMap((start, i) => (i % 2 === 0 ? [code.slice(start, strings[i + 1])] : []));
};

describe('readScripts', () => {
  it.each([
    ['a = 1; // b\nc', 'a = 1; \nc\n'],
    ['a /* b\nc */ d', 'a  d\n'],
    ['a /* b', 'a \n'],
    ['"//a" + \'/* b */\'', '"//a" + \'/* b */\'\n'],
    ['a = /\\/\\*/; b', 'a = /\\/\\*/; b\n'],
    ['a = b / c; // d', 'a = b / c; \n'],
    ['x(/[/"]/); "y"', 'x(/[/"]/); "y"\n'],
    ['<!-- a\nb', '\nb\n'],
    ['"a\n// b\nc', '"a\n\nc\n'],
  ])('the script %j without its comments is %j', (script, code) => {
    expect(codeOf(script)).toBe(code);
  });

  it('readScripts finds strings by their places in the code that remains', () => {
    expect(stringsOf('/* x */ a("b", \'c\\\'d\') // "e"\n+ `f` + "h')).toEqual(['b', "c\\'d", 'f']);
    const { code, strings } = readScripts(['// a', 'b("c") // d', 'e("f")']);
    expect(
      Array.from(code)
        .filter((_, at) => isInString(strings, at))
        .join(''),
    ).toBe('cf');
  });

  it('a string or template without an end does not reach into the next script', () => {
    expect(stringsOf("a = `b; c('d')")).toEqual(['d']);
    const { code, strings } = readScripts(['a = "b', 'c("d")']);
    expect(isInString(strings, code.indexOf('c('))).toBe(false);
  });
});

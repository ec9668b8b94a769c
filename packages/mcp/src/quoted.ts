/**
 * Returns text from a web page in a form that a model reads as data, never as an instruction.
 *
 * - Control characters, line breaks and invisible characters become blanks, so the text stays one line inside its
 *   quotation.
 * - Similar characters replace angle brackets, backticks and braces, which prompts use as marks.
 * - The result has at most `maxLength` characters.
 */
export function quoted(text: string, maxLength = 120): string {
  const line = text
    .normalize('NFC')
    .replace(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}\s]+/gu,
      ' ',
    )
    .trim();
  const marked = line.replace(/[<>`{}[\]]/g, (mark) => lookAlikes[mark] ?? '');
  return marked.length <= maxLength ? marked : `${[...marked].slice(0, maxLength - 1).join('')}…`;
}

const lookAlikes: Record<string, string> = { '<': '‹', '>': '›', '`': 'ˋ', '{': '❴', '}': '❵', '[': '❲', ']': '❳' };

import { TextAreaField, TextField } from '../../app/components/field.tsx';

/** The stores of an import: a text, or a file in its place. */
export const ImportFields = () => (
  <>
    <TextAreaField
      label="Domains"
      name="domains"
      rows={8}
      spellCheck={false}
      autoCapitalize="off"
      className="font-mono"
      placeholder={'shop.example\nother.example'}
      help="One per line, or a table with a column for your own ids. The next page shows what is read."
    />
    <TextField
      label="Or a file"
      name="file"
      type="file"
      accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
      className="h-auto py-1 md:h-auto"
      help="Text or CSV with any separator, in UTF-8, UTF-16 or Windows-1252, at most 1 MiB and 10,000 lines. It is read in place of the field above."
    />
  </>
);

import { CopyField } from '../../app/components/copy-field.tsx';
import { plainSamplesOf, sampleLanguages } from '../../documentation/domain.ts';

/** The request for the rows, to copy. It reads the key from the environment. */
export function CopyRequest({ request, apiUrl }: { request: object; apiUrl: string }) {
  const sent = { method: 'POST', path: '/v1/stores/search', body: JSON.stringify(request, null, 2) };
  const samples = plainSamplesOf(sent, apiUrl);
  return (
    <details>
      <summary className="cursor-pointer rounded font-medium">Copy as curl, TypeScript, Python</summary>
      <div className="mt-3 grid gap-4">
        {Object.entries(sampleLanguages).map(([language, name]) => (
          <div key={language} className="grid gap-1">
            <h2 className="text-sm font-medium">{name}</h2>
            <CopyField value={samples[language as keyof typeof sampleLanguages]} label={`the request as ${name}`} />
          </div>
        ))}
        <p className="text-sm text-quiet">
          Put a key of your own into <span className="code">SHOPSCOPE_API_KEY</span> before. The rows bill as here.
        </p>
      </div>
    </details>
  );
}

/** Method and path of an operation. */
export const MethodAndPath = ({ method, path }: { method: string; path: string }) => (
  <code className="font-mono text-[13px] [overflow-wrap:anywhere]">
    <span className="mr-2 font-semibold">{method}</span>
    {path}
  </code>
);

import { Link } from 'react-router';

/** The label of a key, which leads to its page. `base` is the path of the workspace. */
export const KeyLink = ({ base, id, label }: { base: string; id: string; label: string }) => (
  <Link to={`${base}/settings/keys/${id}`} className="font-medium [overflow-wrap:anywhere] hover:underline">
    <bdi>{label}</bdi>
  </Link>
);

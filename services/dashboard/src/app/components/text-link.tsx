import type { ComponentProps } from 'react';
import { Link } from 'react-router';

/** A link within a text. Pages without script have it too: it is a plain link there. */
export const TextLink = (props: Omit<ComponentProps<typeof Link>, 'className'>) => <Link className="link" {...props} />;

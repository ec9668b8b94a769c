import { TextField, type TextFieldProps } from '../../app/components/field.tsx';
import { passwordLength } from '../../app/domain/password-length.ts';

type Overrides = Partial<TextFieldProps>;

export const EmailField = (props: Overrides) => (
  <TextField label="E-mail address" name="email" type="email" autoComplete="username" required {...props} />
);

export const NameField = (props: Overrides) => (
  <TextField label="Your name" name="name" autoComplete="name" required maxLength={100} {...props} />
);

export const CurrentPasswordField = (props: Overrides) => (
  <TextField label="Password" name="password" type="password" autoComplete="current-password" required {...props} />
);

/** `help` follows the text about the minimum length. */
export const NewPasswordField = ({ help, ...props }: Overrides) => (
  <TextField
    label="Password"
    name="password"
    type="password"
    autoComplete="new-password"
    required
    help={
      <>
        At least {passwordLength.min} characters.{help && <> {help}</>}
      </>
    }
    {...props}
  />
);

/** A field for the name of a new workspace. */
export const NewWorkspaceField = (props: Overrides) => (
  <TextField
    label="Name"
    name="name"
    autoComplete="organization"
    required
    maxLength={200}
    help="For example the name of your company. You can change it later."
    {...props}
  />
);

/** A field for a code of an authenticator app, or a backup code. */
export const CodeField = (props: Overrides) => (
  <TextField label="Code" name="code" autoComplete="one-time-code" isCode required {...props} />
);

/** A hidden field. It names the account of the form for password managers. */
export const UsernameHint = ({ email }: { email: string }) => (
  <input type="hidden" autoComplete="username" value={email} readOnly />
);

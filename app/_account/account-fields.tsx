import { Field } from '@/app/_ui/field';
import { Input } from '@/app/_ui/input';

const MIN_PASSWORD = 10;

/** What an account is made of: name, e-mail, password. `passwordHint` stands beside the length. */
export function AccountFields({ passwordHint = '' }: { passwordHint?: string }) {
  return (
    <>
      <Field label="Name">{(ids) => <Input {...ids} name="name" autoComplete="name" required maxLength={100} />}</Field>
      <Field label="E-mail" hint="Your name for signing in; no mail is sent.">
        {(ids) => <Input {...ids} name="email" type="email" autoComplete="username" required maxLength={200} />}
      </Field>
      <NewPasswordField label="Password" hint={passwordHint} />
    </>
  );
}

export function NewPasswordField({ label, hint = '' }: { label: string; hint?: string }) {
  return (
    <Field label={label} hint={`At least ${MIN_PASSWORD} characters. ${hint}`}>
      {(ids) => (
        <Input
          {...ids}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD}
          maxLength={200}
          required
        />
      )}
    </Field>
  );
}

/** What the person filled in. */
export function readAccount(form: FormData): { name: string; email: string; password: string } {
  const text = (name: string): string => String(form.get(name) ?? '');
  return { name: text('name').trim(), email: text('email').trim(), password: text('password') };
}

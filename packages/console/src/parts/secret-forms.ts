/** A text with a secret in it. `name` says where it is pasted: `.env`. */
export type SecretForm = { readonly name: string; readonly text: string }

/** Returns environment variables as lines for an .env file, a shell, and JSON. */
export function secretForms(variables: Readonly<Record<string, string>>): readonly SecretForm[] {
  const lines = Object.entries(variables)
  return [
    { name: '.env', text: lines.map(([name, value]) => `${name}=${value}\n`).join('') },
    { name: 'shell', text: lines.map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`).join('') },
    { name: 'JSON', text: JSON.stringify(variables, null, 2) },
  ]
}

import { type App, type Credentials, credentialFields } from '@onward/catalog'

/** Shorter secrets would redact innocent text. */
const MIN_BYTES = 8

/** Replaces an account's exact secrets in text that came from a third party, in each form in which they may be echoed. */
export function redactor(app: App, credentials: Credentials): (text: string) => string {
  const secrets = credentialFields(app)
    .filter(({ secret }) => secret)
    .map(({ name }) => credentials[name] ?? '')
  const basic = app.auth.type === 'basic' ? [Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')] : []
  const forms = [...secrets, ...basic]
    .filter((secret) => Buffer.byteLength(secret) >= MIN_BYTES)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  const distinct = [...new Set(forms)]
  return (text) => distinct.reduce((redacted, form) => redacted.replaceAll(form, '[redacted]'), text)
}

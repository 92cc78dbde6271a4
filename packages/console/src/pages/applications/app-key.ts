const ENDING = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Returns an ending for suggested App-Keys, which are unique in the whole deployment. */
export function newEnding(): string {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => ENDING[byte % ENDING.length]).join('')
}

/** Returns an App-Key for the name of an application: `acme-crm-x7k2` for `Acme CRM`. Empty for a name without letters or digits. */
export function suggestAppKey(name: string, ending: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  if (name.trim() === '') return ''
  return `${words === '' ? 'app' : words}-${ending}`
}

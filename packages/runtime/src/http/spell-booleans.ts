const SPELLINGS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
])

/** Puts booleans in place of the words that published clients send for them, where the schema wants a boolean; in nested objects too. */
export function spellBooleans(given: Record<string, unknown>, properties: Readonly<Record<string, unknown>>): void {
  for (const [name, property] of Object.entries(properties)) {
    const { type, properties: inner } = property as { type?: string | readonly string[]; properties?: Readonly<Record<string, unknown>> }
    const value = given[name]
    if (inner !== undefined && typeof value === 'object' && value !== null) spellBooleans(value as Record<string, unknown>, inner)
    const types = [type ?? []].flat()
    const spelled = types.includes('boolean') ? SPELLINGS.get(given[name]) : undefined
    if (spelled !== undefined) given[name] = spelled
  }
}

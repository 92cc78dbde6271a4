/** Replaces each name in braces by its value. Throws if a value is missing. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return split(text)
    .map((part, at) => (at % 2 === 0 ? part : String(valueNamed(values, part))))
    .join('')
}

/** Returns the parts of a text: what stands between the names in braces, and these names, in turn. */
export function split(text: string): string[] {
  return text.split(/\{(\w+)\}/)
}

/** Returns the value of a name in braces. */
export function valueNamed<T>(values: Readonly<Record<string, T>>, name: string): T {
  const value = values[name]
  if (value === undefined) throw new Error(`a text needs a value for {${name}}`)
  return value
}

/** The `{name}` tags anywhere in the arguments of a source. */
export function argumentTags(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(/\{([A-Za-z_][A-Za-z0-9_-]*)\}/g)].map((match) => match[1] as string)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(argumentTags) : []
}

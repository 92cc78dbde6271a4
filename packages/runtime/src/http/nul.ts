/** The texts among some values that hold a NUL, as problems: JSON and URLs can carry one, Postgres can't hold it. */
export function nulProblems(values: unknown): string[] {
  return Object.entries(values ?? {})
    .filter(([, value]) => typeof value === 'string' && value.includes('\0'))
    .map(([name]) => `${name}: must not hold a NUL character`)
}

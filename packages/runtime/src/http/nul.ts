/** The texts under a body's known names that hold a NUL, as problems: JSON and URLs can carry one, Postgres can't hold it. */
export function nulProblems(body: unknown, names: readonly string[]): string[] {
  return names
    .filter((name) => {
      const value = (body as Readonly<Record<string, unknown>> | null)?.[name]
      return typeof value === 'string' && value.includes('\0')
    })
    .map((name) => `${name}: must not hold a NUL character`)
}

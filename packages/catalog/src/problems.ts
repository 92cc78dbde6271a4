/** Thrown when apps can't be loaded; carries every problem found, not only the first. */
export class CatalogError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'CatalogError'
    this.problems = problems
  }
}

export type Path = readonly (string | number)[]

/** Notes a problem of an app file; compiling goes on, so that all are seen at once. */
export type Report = (path: Path, what: string) => void

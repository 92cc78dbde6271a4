/** Thrown when apps cannot be loaded. Contains all problems that were found. */
export class CatalogError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'CatalogError'
    this.problems = problems
  }
}

export type Path = readonly (string | number)[]

/** Records a problem of an app file. Compiling continues, so that all problems are reported together. */
export type Report = (path: Path, what: string) => void

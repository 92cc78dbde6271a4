import type { AppFile, FunctionFile } from '../file/app-file.ts'

/** An app file without some of its functions, among them all of a wrong shape, and without what refers to them. */
export function without(file: AppFile, phrases: ReadonlyMap<string | null, unknown>): AppFile {
  const kept = Object.entries(file.functions).filter(([phrase]) => !phrases.has(phrase))
  const { identity, ...rest } = file
  return {
    ...rest,
    ...(identity === undefined || phrases.has(identity.function) ? {} : { identity }),
    functions: Object.fromEntries(kept.map(([phrase, definition]) => [phrase, withoutSources(definition, phrases)])),
  }
}

function withoutSources(definition: FunctionFile, phrases: ReadonlyMap<string | null, unknown>): FunctionFile {
  if (definition.sources === undefined) return definition
  const kept = Object.entries(definition.sources).filter(([, source]) => !phrases.has(source.function))
  return { ...definition, sources: Object.fromEntries(kept) }
}

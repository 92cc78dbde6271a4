import { argumentTags } from './argument-tags.ts'
import type { AppFile, FunctionFile } from './file/app-file.ts'
import type { Report } from './problems.ts'
import type { AppFunction } from './types.ts'

type SourceFile = NonNullable<FunctionFile['sources']>[string]

/** The functions that a function's parameters take their values from, under their full names. */
export function readSources(phrase: string, file: AppFile, report: Report): AppFunction['sources'] {
  const definition = file.functions[phrase] as FunctionFile
  const own = definition.parameters?.properties ?? {}
  const sources = Object.entries(definition.sources ?? {})
  for (const [parameter, source] of sources) {
    const problem = Object.hasOwn(own, parameter) ? sourceProblem(source, file, own) : 'is not a parameter'
    if (problem) report(['functions', phrase, 'sources', parameter], problem)
  }
  return Object.fromEntries(
    sources.map(([parameter, source]) => [
      parameter,
      { ...source, function: `${file.name}-${source.function}`, arguments: source.arguments ?? {} },
    ]),
  )
}

function sourceProblem({ function: phrase, arguments: given = {} }: SourceFile, file: AppFile, own: object): string | null {
  const source = Object.hasOwn(file.functions, phrase) ? file.functions[phrase] : undefined
  if (!source) return `${phrase} is not a function of this app`
  if (source.type !== 'QUERY') return `${phrase} is not a QUERY`
  const unknown = unknownArgument(source, given)
  if (unknown !== undefined) return `${phrase} has no parameter ${unknown}`
  const tag = argumentTags(given).find((name) => !Object.hasOwn(own, name))
  if (tag !== undefined) return `{${tag}} is not a parameter here`
  const missing = source.parameters?.required?.find((name) => !Object.hasOwn(given, name) && !Object.hasOwn(own, name))
  return missing === undefined ? null : `${phrase} requires ${missing}, which is not a parameter here`
}

/** The first of the given arguments that is no parameter of the function. */
export function unknownArgument(source: FunctionFile, given: object): string | undefined {
  return Object.keys(given).find((name) => !Object.hasOwn(source.parameters?.properties ?? {}, name))
}

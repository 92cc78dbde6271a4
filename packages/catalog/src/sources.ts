import type { AppFile, FunctionFile } from './file/app-file.ts'
import type { Report } from './problems.ts'
import type { AppFunction } from './types.ts'

/** The functions that a function's parameters take their values from, under their full names. */
export function readSources(phrase: string, file: AppFile, report: Report): AppFunction['sources'] {
  const definition = file.functions[phrase] as FunctionFile
  const own = definition.parameters?.properties ?? {}
  const sources = Object.entries(definition.sources ?? {})
  for (const [parameter, source] of sources) {
    const problem = Object.hasOwn(own, parameter) ? sourceProblem(source.function, file, own) : 'is not a parameter'
    if (problem) report(['functions', phrase, 'sources', parameter], problem)
  }
  return Object.fromEntries(sources.map(([parameter, source]) => [parameter, { ...source, function: `${file.name}-${source.function}` }]))
}

function sourceProblem(phrase: string, file: AppFile, own: object): string | null {
  const source = Object.hasOwn(file.functions, phrase) ? file.functions[phrase] : undefined
  if (!source) return `${phrase} is not a function of this app`
  if (source.type !== 'QUERY') return `${phrase} is not a QUERY`
  const missing = source.parameters?.required?.find((name) => !Object.hasOwn(own, name))
  return missing === undefined ? null : `${phrase} requires ${missing}, which is not a parameter here`
}

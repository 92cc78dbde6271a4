import { nameStems } from '../words/stems.ts'
import type { Fillable, PredictedArgument, PredictedArguments, Variables } from './types.ts'

const MAX_DEPTH = 4
/** More variables than a form or a workflow holds. */
const MAX_PATHS = 2_000

/** `{tag}` of the variable whose name, or whose path, says the same as a parameter's name, and whose value fits its schema. */
export function tagsOf({ check, properties }: Fillable, variables: Variables): PredictedArguments {
  const paths = pathsOf(variables).slice(0, MAX_PATHS).map(withKeys)
  const tags: Record<string, PredictedArgument> = {}
  for (const parameter of Object.keys(properties)) {
    const wanted = nameKey(parameter)
    if (wanted === '') continue
    const named = [...paths.filter(({ key }) => key === wanted), ...paths.filter(({ lastKey }) => lastKey === wanted)]
    const match = named.find(({ value }) => fits(check, parameter, structuredClone(value)))
    if (match !== undefined)
      tags[parameter] = { value: `{${match.path}}`, origin: { from: 'variable', variable: match.path }, confidence: 0.9 }
  }
  return tags
}

type Path = { readonly path: string; readonly value: unknown }

function withKeys({ path, value }: Path) {
  return { path, value, key: nameKey(path), lastKey: nameKey(path.slice(path.lastIndexOf('.') + 1)) }
}

/** Every variable by its dotted path, outer ones first. Only names that can be written as a tag. */
function pathsOf(variables: object, prefix = '', depth = 0): Path[] {
  const here = Object.entries(variables)
    .filter(([name]) => (prefix === '' ? /^[A-Za-z_][A-Za-z0-9_-]*$/ : /^[A-Za-z0-9_-]+$/).test(name))
    .map(([name, value]) => ({ path: prefix + name, value }))
  const inner = here.flatMap(({ path, value }) =>
    depth < MAX_DEPTH && typeof value === 'object' && value !== null ? pathsOf(value, `${path}.`, depth + 1) : [],
  )
  return [...here, ...inner]
}

/** `firstName`, `first_name` and `contact.first-name`'s last part all say the same. */
function nameKey(name: string): string {
  return nameStems(name).join(' ')
}

/** Whether a value is valid for one parameter, whatever else the function's check finds missing. */
export function fits(check: Fillable['check'], parameter: string, value: unknown): boolean {
  return !check({ [parameter]: value }).some((problem) => [':', '.', '['].some((next) => problem.startsWith(parameter + next)))
}

import { type AppFunction, onlyTag, readArguments, VARIABLE_TAG } from '@onward/catalog'
import { isStructured, nearestNumbers, parseJson } from '@onward/json'
import type { ArgumentInput } from '@onward/predict'
import { Refusal, shapeProblem } from '@onward/runtime'
import type { Callable } from '../../catalog/functions.ts'
import { fillVariables } from '../../catalog/variables.ts'

/** The valid arguments by parameter, with their tags, and the problems of the others. */
export type CheckedArguments = { readonly valid: Readonly<Record<string, unknown>>; readonly problems: readonly string[] }

const MAX_TEXT = 65_536

/**
 * Checks the arguments that a model wrote as JSON text. They must be valid with the variables filled in, and must not be invented. A
 * missing argument is not a problem.
 */
export function checkArguments({ fn, check }: Callable, text: string, input: ArgumentInput): CheckedArguments {
  const raw = parse(text)
  if (!isObject(raw) || shapeProblem(raw) !== undefined) return { valid: {}, problems: ['the arguments must be one JSON object'] }
  const own = readArguments(fn.parameters, raw) as Record<string, unknown>
  const valid: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, value] of Object.entries(own)) {
    // Models write null for what the prompt does not contain. It must not clear a field.
    if (value === null) continue
    const wrong = problemsOf(name, value)
    if (wrong.length === 0) valid[name] = value
    else problems.push(...wrong)
  }
  return { valid, problems }

  function problemsOf(name: string, value: unknown): string[] {
    if (!Object.hasOwn(fn.parameters.properties, name)) return [`${name}: is not a parameter of this tool`]
    if (shapeProblem(value) !== undefined) return [`${name}: is nested too deeply`]
    const invented = inventedValue(fn, name, value, input)
    if (invented !== undefined) return [`${name}: "${invented}" does not occur in the request`]
    try {
      // The filled value is a copy, because the check fills in defaults. Ignore its problems with other parameters: they are missing here.
      const filled = fillVariables(value, input.variables ?? {})
      return check({ [name]: nearestNumbers(filled) }).filter((problem) => [':', '.', '['].some((next) => problem.startsWith(name + next)))
    } catch (err) {
      if (err instanceof Refusal) return [`${name}: contains a tag of an unknown variable`]
      throw err
    }
  }
}

function parse(text: string): unknown {
  if (text.length > MAX_TEXT) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isStructured(value) && !Array.isArray(value)
}

/** E-mail addresses and hosts of URLs: models invent these most often, and they do the most harm. They may contain tags. */
const ADDRESSES =
  /(?:[\w.%+-]|\{[\w.-]+\}){1,64}@(?:[a-z0-9-]|\{[\w.-]+\}){1,63}(?:\.(?:[a-z0-9-]|\{[\w.-]+\}){1,63})+|(?<=https?:\/\/)[^\s/?#"'<>\\]+/gi

/**
 * Returns the part of a value that the model invented, or undefined: an address that is not in the prompt, or an id or name of a thing in
 * the app that is neither in the prompt nor in the parameter's description.
 */
function inventedValue({ parameters, sources }: AppFunction, name: string, value: unknown, { prompt }: ArgumentInput): string | undefined {
  const said = (prompt ?? '').toLowerCase()
  const addresses = JSON.stringify(value).match(ADDRESSES) ?? []
  const address = addresses.find((each) => literalParts(each).some((part) => !said.includes(part)))
  if (address !== undefined || !Object.hasOwn(sources, name)) return address
  const known = `${said}\n${parameters.properties[name]?.description ?? ''}`.toLowerCase()
  const ids = (Array.isArray(value) ? value : [value]).map(String)
  return ids.find((id) => onlyTag(id) === undefined && !known.includes(id.toLowerCase()))
}

/** Returns the parts of an address outside tags in lower case: `shop.example` for `{name}@shop.example`. */
function literalParts(address: string): string[] {
  const parts = address.toLowerCase().replace(VARIABLE_TAG, ' ').split(' ')
  return parts.map((part) => (parts.length > 1 ? part.replace(/^[@.]+|[@.]+$/g, '') : part)).filter((part) => part !== '')
}

import type { AppFunction, FunctionFile } from '@onward/catalog'
import { isObject, listAt, member, objectAt } from '@onward/openapi/conformance'
import type { Place } from './vendor-documents.ts'

/** Lets a function read the example response of an operation. Returns undefined when the document has no example. */
export function readExample(
  { output, response }: FunctionFile,
  fn: AppFunction | undefined,
  place: Place,
): { problems: string[] } | undefined {
  const example = exampleOf(place)
  if (fn === undefined || !(isObject(example) || Array.isArray(example))) return undefined
  const read = fn.readResponse(200, example, null)
  if ((response?.output ?? '') !== '' && read.output === example) return { problems: [`example: the response has no ${response?.output}`] }
  if (output?.type === 'array' && !Array.isArray(read.output)) return { problems: ['example: the output is no list'] }
  return { problems: [] }
}

function exampleOf({ operation, spec }: Place): unknown {
  const responses = objectAt(operation.value, 'responses')
  const response = spec.resolve(responses['200'] ?? responses['201'])
  const media = Object.entries(objectAt(response, 'content')).find(([type]) => /json/.test(type))?.[1]
  const [named] = Object.values(objectAt(media, 'examples'))
  const example = member(media, 'example') ?? member(spec.resolve(named), 'value') ?? listAt(media, 'examples')[0]
  return typeof example === 'string' ? parsed(example) : example
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { isObject, type JsonObject, member, objectAt } from '../json.ts'
import { emptyFlat, type Flat } from '../schema/flat.ts'
import { flatten, type Schemas } from '../schema/flatten.ts'
import type { Operation } from '../spec/spec.ts'
import { Unusable } from '../unusable.ts'

/** What an operation answers when it went well, as far as the document tells. */
export type AnswerShape = {
  readonly body: Flat
  /** Names of its headers, in lower case. */
  readonly headers: ReadonlySet<string>
}

/** An answer that is not described costs nothing: the whole body is then the output, and there are no pages. */
export function readAnswer(operation: Operation, schemas: Schemas): AnswerShape {
  try {
    const responses = objectAt(operation.value, 'responses')
    const status = ['200', '201', '202', '203', '206', '2XX', '2xx', 'default'].find((key) => Object.hasOwn(responses, key))
    const response = status === undefined ? undefined : schemas.resolve(responses[status])
    const headers = new Set(Object.keys(objectAt(response, 'headers')).map((name) => name.toLowerCase()))
    return { body: flatten(member(jsonOf(objectAt(response, 'content')), 'schema'), schemas), headers }
  } catch (error) {
    if (error instanceof Unusable) return { body: emptyFlat(), headers: new Set() }
    throw error
  }
}

function jsonOf(content: JsonObject): unknown {
  const media = Object.keys(content).find((type) => /json|^\*\/\*/i.test(type))
  const value = media === undefined ? undefined : content[media]
  return isObject(value) ? value : undefined
}
